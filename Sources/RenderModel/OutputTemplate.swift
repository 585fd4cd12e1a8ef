/// A parsed name template such as `{directory}/{stem}.{rendition}.{extension}`.
package struct OutputTemplate: Hashable, Sendable {
  package enum Field: Hashable, Sendable {
    case job, directory, stem, sourceExtension, rendition, `extension`, type, width, height
    /// A strftime-like date format with `%f` for sub-seconds.
    case captured(format: String)
    /// The first so many hexadecimal digits of the original's digest, 1…64.
    case sha256(digits: Int)
  }

  package enum Piece: Hashable, Sendable {
    case literal([UInt8])
    case field(Field)
  }

  package var pieces: [Piece]

  package init(pieces: [Piece]) { self.pieces = pieces }

  /// What a template is filled from; what is known only after rendering is nil before.
  package struct Values: Sendable {
    package var job: String
    package var asset: RelativePath
    package var rendition: String
    package var type: UniformType
    package var width: Int?
    package var height: Int?
    package var captured: String?
    package var sha256: String?

    package init(
      job: String, asset: RelativePath, rendition: String, type: UniformType, width: Int? = nil,
      height: Int? = nil, captured: String? = nil, sha256: String? = nil
    ) {
      self.job = job
      self.asset = asset
      self.rendition = rendition
      self.type = type
      self.width = width
      self.height = height
      self.captured = captured
      self.sha256 = sha256
    }
  }
}
