import RenderModel

/// The segments of a JPEG before its pixels.
enum JPEGSegments {
  struct Segment: Hashable {
    var marker: UInt8
    /// With its marker and length.
    var whole: Range<Int>
    var payload: Range<Int>
  }

  static let exifSign = Array("Exif\0\0".utf8)
  static let xmpSign = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extensionSign = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  static let photoshopSign = Array("Photoshop 3.0\0".utf8)
  static let multiPictureSign = Array("MPF\0".utf8)

  /// Up to the first scan; nil when the bytes end before it or are no segments.
  static func read(_ bytes: Span<UInt8>) -> (segments: [Segment], end: Int)? {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
    var segments: [Segment] = []
    var position = 2
    while position + 4 <= bytes.count {
      guard bytes[position] == 0xFF else {
        // Stray bytes, which decoders pass over.
        position += 1
        continue
      }
      let marker = bytes[position + 1]
      if marker == 0xFF || marker == 0 || marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += marker == 0xFF ? 1 : 2
        continue
      }
      if marker == 0xDA || marker == 0xD9 { return (segments, position) }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard length >= 2, position + 2 + length <= bytes.count else { return nil }
      segments.append(
        Segment(
          marker: marker, whole: position..<(position + 2 + length),
          payload: (position + 4)..<(position + 2 + length)))
      position += 2 + length
    }
    return nil
  }
}

/// The metadata of a JPEG.
enum JPEGMetadata {
  static func read(_ bytes: Span<UInt8>) -> MetadataBlocks {
    var blocks = MetadataBlocks()
    guard let (segments, _) = JPEGSegments.read(bytes) else { return blocks }
    var photoshop: [UInt8] = []
    var pieces: [String: XMPPieces] = [:]
    for segment in segments {
      let payload = segment.payload
      switch segment.marker {
      case 0xE1 where bytes.has(JPEGSegments.exifSign, at: payload.lowerBound):
        if blocks.exif == nil { blocks.exif = bytes.copy(payload.dropFirst(6)) }
      case 0xE1 where bytes.has(JPEGSegments.xmpSign, at: payload.lowerBound):
        if blocks.xmp == nil {
          blocks.xmp = bytes.copy(payload.dropFirst(JPEGSegments.xmpSign.count))
        }
      case 0xE1 where bytes.has(JPEGSegments.extensionSign, at: payload.lowerBound):
        let start = payload.lowerBound + JPEGSegments.extensionSign.count
        guard payload.upperBound - start > 40 else { break }
        let name = String(decoding: bytes.copy(start..<(start + 32)), as: UTF8.self)
        pieces[name, default: XMPPieces()].add(
          bytes.copy((start + 32)..<(start + 40)), bytes.copy((start + 40)..<payload.upperBound))
      case 0xED where bytes.has(JPEGSegments.photoshopSign, at: payload.lowerBound):
        // Resources may go on in the next segment.
        photoshop += bytes.copy(payload.dropFirst(JPEGSegments.photoshopSign.count))
      case 0xEB where bytes.has(Array("JP".utf8), at: payload.lowerBound):
        blocks.losses.add(.contentCredentials)
      default: break
      }
    }
    blocks.takePhotoshop(photoshop.span)
    if !pieces.isEmpty { blocks.takeExtension(pieces) }
    return blocks
  }
}

/// Pieces of an extended XMP packet, which may come in any order.
struct XMPPieces: Hashable {
  private var length = 0
  private var pieces: [Int: [UInt8]] = [:]

  mutating func add(_ head: [UInt8], _ bytes: [UInt8]) {
    func number(_ start: Int) -> Int { head[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
    length = number(0)
    pieces[number(4)] = bytes
  }

  /// nil when one is missing.
  var whole: [UInt8]? {
    var result: [UInt8] = []
    for (offset, bytes) in pieces.sorted(by: { $0.key < $1.key }) {
      guard offset == result.count else { return nil }
      result += bytes
    }
    return result.count == length ? result : nil
  }
}

extension MetadataBlocks {
  fileprivate mutating func takeExtension(_ pieces: [String: XMPPieces]) {
    guard let xmp else { return }
    // The packet names its extension; others are left over from earlier versions of it.
    guard let named = pieces.first(where: { xmp.holds($0.key) }) else { return }
    extendedXMP = named.value.whole
    if extendedXMP == nil { losses.add(.xmp, "a part of its extension is missing") }
  }

  mutating func takePhotoshop(_ bytes: Span<UInt8>) {
    let (found, hasPaths) = PhotoshopResources.read(bytes, 0..<bytes.count)
    if iptc == nil { iptc = found }
    if hasPaths { losses.add(.clippingPaths) }
  }
}
