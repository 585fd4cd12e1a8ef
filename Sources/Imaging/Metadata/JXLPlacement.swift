/// Metadata as boxes of a JPEG XL behind its codestream.
enum JXLPlacement {
  private static let metadata = ["Exif", "xml ", "brob", "jumb"]

  static func put(_ metadata: EncodedMetadata, into file: EncodedFile) throws(LibraryError) {
    var tail: [UInt8] = []
    if let exif = metadata.exif {
      // The offset of the TIFF header comes first.
      tail += BoxWriter.box("Exif", [0, 0, 0, 0] + exif)
    }
    if let xmp = metadata.xmp { tail += BoxWriter.box("xml ", xmp) }
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
    BoxWriter.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
      + BoxWriter.box("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8))
      + BoxWriter.number(count + 8, 4) + Array("jxlc".utf8)
  }

  private static func removeBoxes(_ file: EncodedFile) throws(LibraryError) {
    var position = 0
    while position + 8 <= file.count {
      let count = file.count
      let head = try file.bytes(position..<min(position + BoxReader.Box.longestHead, count))
      guard let box = BoxReader.Box(head, at: position, end: count), box.whole.upperBound <= count
      else { throw LibraryError(text: "a box of the encoded JPEG XL is cut off") }
      // To the end of the file, after which others will come.
      if box.isOpen { try file.write(BoxWriter.number(box.whole.count, 4), at: position) }
      if metadata.contains(box.type) {
        try file.replace(box.whole, with: [])
      } else {
        position = box.whole.upperBound
      }
    }
  }
}
