import CImagingShim

/// The text of an XMP packet around what Exiv2 reads and writes.
enum XMPPacket {
  /// Without zeros at the end, which some writers leave.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1))
  }

  static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
    Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n".utf8) + bytes
      + Array("\n<?xpacket end=\"w\"?>".utf8)
  }

  /// Why a packet is left behind unread; nil when it is fit to be read.
  static func refusal(_ bytes: [UInt8]) -> String? {
    guard bytes.count <= MetadataLimits.xmp else {
      return "its \(bytes.count) bytes are more than \(MetadataLimits.xmp)"
    }
    var marks = 0
    var spaces = 0
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "<"):
        marks += 1
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "!"),
          index + 2 < bytes.count, bytes[index + 2] == UInt8(ascii: "D")
        {
          return "it has a document type, which could make it larger than it is"
        }
      case UInt8(ascii: "="):
        if index + 1 < bytes.count, [0x22, 0x27].contains(bytes[index + 1]) { marks += 1 }
      case UInt8(ascii: "x"):
        if bytes[index...].starts(with: Self.declaration) { spaces += 1 }
      default: break
      }
    }
    if marks > MetadataLimits.xmpMarks { return "it has too many properties (\(marks) marks)" }
    if spaces > MetadataLimits.xmpNamespaces { return "it declares \(spaces) namespaces" }
    return nil
  }

  private static let declaration = Array("xmlns:".utf8)
}

/// The part of an XMP packet that a JPEG carries in segments of its own.
struct ExtendedXMP: Hashable, Sendable {
  /// What one segment holds besides the sign of XMP.
  static let mainLimit = 65_502

  /// 32 hexadecimal digits that tie it to its packet: the MD5 digest of its bytes.
  var identifier: String
  var bytes: [UInt8]

  /// Takes the largest properties out until the rest fits one segment; nil when it never does.
  static func split(_ packet: [UInt8]) throws(LibraryError) -> ([UInt8], ExtendedXMP)? {
    let main = try MetadataEditor()
    try main.decode(.xmp, packet)
    var sizes: [String: Int] = [:]
    try main.remove(.xmp) { entry in
      sizes[name(entry), default: 0] += entry.key.utf8.count + entry.size
      return false
    }
    var moved: Set<String> = []
    for (name, _) in sizes.sorted(by: { ($0.value, $0.key) > ($1.value, $1.key) }) {
      moved.insert(name)
      try main.remove(.xmp) { Self.name($0) == name }
      // Room for the wrapper and for the property that names the extension.
      guard (try main.encode(.xmp)?.count ?? 0) <= mainLimit - 400 else { continue }
      let other = try MetadataEditor()
      try other.decode(.xmp, packet)
      try other.remove(.xmp) { !moved.contains(Self.name($0)) }
      guard let bytes = try other.encode(.xmp) else { return nil }
      let identifier = md5(bytes)
      try main.set(.xmp, "Xmp.xmpNote.HasExtendedXMP", text: identifier)
      guard let encoded = try main.encode(.xmp).map(XMPPacket.wrapped),
        encoded.count <= mainLimit
      else { return nil }
      return (encoded, ExtendedXMP(identifier: identifier, bytes: bytes))
    }
    return nil
  }

  private static func name(_ entry: MetadataEditor.Entry) -> String {
    "\(entry.group).\(entry.property)"
  }

  private static func md5(_ bytes: [UInt8]) -> String {
    Checksum(isMD5: true).adding(bytes).text.uppercased()
  }
}
