extension OutputTemplate {
  /// `{directory}/{stem}.{rendition}.{extension}`.
  package static let standard = OutputTemplate(pieces: [
    .field(.directory), .literal([UInt8(ascii: "/")]), .field(.stem),
    .literal([UInt8(ascii: ".")]), .field(.rendition), .literal([UInt8(ascii: ".")]),
    .field(.extension),
  ])

  /// The standard template with one field more before the rendition's name.
  ///
  /// For folders in which stems repeat.
  package static func standard(with field: Field) -> OutputTemplate {
    var result = standard
    result.pieces.insert(contentsOf: [.field(field), .literal([UInt8(ascii: ".")])], at: 4)
    return result
  }

  /// The folder beneath an output folder that belongs to Minilab itself.
  package static let stateFolder = ".minilab"

  /// What stands for the date of a photo that does not say when it was taken.
  package static let undated = "undated"

  /// Why values give no usable name: the failure of one job, never of a manifest.
  package enum Failure: Error, Hashable, Sendable {
    /// A file or folder name over 255 bytes.
    case nameTooLong(bytes: Int)
    case pathTooLong(bytes: Int)
    case badComponent(RelativePath.Fault)
    case stateFolder
    /// A value that is not known yet.
    case unknown(Field)

    /// One sentence for a person.
    package var message: String {
      switch self {
      case .nameTooLong(let bytes):
        "the output name has \(bytes) bytes, and a name can have at most 255"
      case .pathTooLong(let bytes):
        "the output path has \(bytes) bytes, and a path can have at most 4095"
      case .badComponent(let fault): "the output name " + fault.message
      case .stateFolder: "the output name is in \(OutputTemplate.stateFolder), Minilab's own folder"
      case .unknown(let field): "the value of \(field) is not known"
      }
    }
  }

  /// Whether the name is known before the picture is opened.
  package var isKnownBefore: Bool {
    pieces.allSatisfy { piece in
      guard case .field(let field) = piece else { return true }
      return field.isKnownBefore
    }
  }

  /// The name beneath the output folder.
  ///
  /// Only `{directory}` and slashes of the template itself make folders: a slash in any other value
  /// becomes `_`. Bytes that are not UTF-8 pass through.
  package func path(_ values: Values) -> Result<RelativePath, Failure> {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.asset.bytes.count + 32)
    var skipsSlash = false
    for piece in pieces {
      switch piece {
      case .literal(let text):
        bytes += skipsSlash && text.first == Self.slash ? text.dropFirst() : text[...]
        skipsSlash = false
      case .field(.directory):
        let directory = values.asset.directory.bytes
        bytes += directory
        skipsSlash = directory.isEmpty && (bytes.isEmpty || bytes.last == Self.slash)
      case .field(let field):
        guard let value = values.bytes(of: field) else { return .failure(.unknown(field)) }
        for byte in value { bytes.append(byte == Self.slash ? UInt8(ascii: "_") : byte) }
        skipsSlash = false
      }
    }
    if let failure = Self.failure(of: bytes) { return .failure(failure) }
    return .success(RelativePath(bytes: bytes))
  }

  private static let slash = UInt8(ascii: "/")

  private static func failure(of bytes: [UInt8]) -> Failure? {
    if let fault = RelativePath.fault(in: bytes) { return .badComponent(fault) }
    var start = 0
    for index in 0...bytes.count where index == bytes.count || bytes[index] == slash {
      if index - start > 255 { return .nameTooLong(bytes: index - start) }
      if start == 0, index == stateFolder.utf8.count,
        String(decoding: bytes[..<index], as: UTF8.self).lowercased() == stateFolder
      {
        return .stateFolder
      }
      start = index + 1
    }
    return bytes.count > 4095 ? .pathTooLong(bytes: bytes.count) : nil
  }
}

extension OutputTemplate.Values {
  /// nil when the value is not known yet; `{directory}` is handled where folders are made.
  fileprivate func bytes(of field: OutputTemplate.Field) -> [UInt8]? {
    switch field {
    case .job: Array(job.utf8)
    case .directory: asset.directory.bytes
    case .stem: asset.stem
    case .sourceExtension: asset.pathExtension
    case .rendition: Array(rendition.utf8)
    case .extension: Array((type.preferredExtension ?? "").utf8)
    case .type: Array(type.rawValue.utf8)
    case .width: width.map { Array(String($0).utf8) }
    case .height: height.map { Array(String($0).utf8) }
    case .captured(let format):
      Array((captured.flatMap(CaptureDate.init)?.formatted(format) ?? OutputTemplate.undated).utf8)
    case .sha256(let digits): sha256.map { Array($0.prefix(digits).utf8) }
    }
  }
}
