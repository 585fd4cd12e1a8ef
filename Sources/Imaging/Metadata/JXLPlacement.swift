/// Metadata as boxes of a JPEG XL behind its codestream.
enum JXLPlacement {
  private static let metadata = ["Exif", "xml ", "brob", "jumb"]

  static func put(_ metadata: EncodedMetadata, into file: EncodedFile) throws(LibraryError) {
    var tail: [UInt8] = []
    if let exif = metadata.exif {
      // The offset of the TIFF header comes first.
      tail += HEIFBoxes.made("Exif", [0, 0, 0, 0] + exif)
    }
    if let xmp = metadata.xmp { tail += HEIFBoxes.made("xml ", xmp) }
    let count = file.count
    if try file.bytes(0..<min(2, count)) == [0xFF, 0x0A] {
      guard !tail.isEmpty else { return }
      try file.replace(0..<0, with: head(codestream: count))
    } else {
      try removeBoxes(file)
    }
    try file.write(tail, at: file.count)
  }

  /// What makes a bare codestream the first box of a container.
  private static func head(codestream count: Int) -> [UInt8] {
    HEIFBoxes.made("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
      + HEIFBoxes.made("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8))
      + HEIFBoxes.bytes(count + 8, 4) + Array("jxlc".utf8)
  }

  private static func removeBoxes(_ file: EncodedFile) throws(LibraryError) {
    var position = 0
    while position + 8 <= file.count {
      let count = file.count
      let head = try file.bytes(position..<min(position + 16, count))
      var length = HEIFBoxes.number(head, 0, 4)
      if length == 0 {
        // To the end of the file, after which others will come.
        length = count - position
        try file.write(HEIFBoxes.bytes(length, 4), at: position)
      } else if length == 1, head.count == 16 {
        length = HEIFBoxes.number(head, 8, 8)
      }
      guard length >= 8, length <= count - position else {
        throw LibraryError(text: "a box of the encoded JPEG XL is cut off")
      }
      if metadata.contains(String(decoding: head[4..<8], as: UTF8.self)) {
        try file.replace(position..<(position + length), with: [])
      } else {
        position += length
      }
    }
  }
}
