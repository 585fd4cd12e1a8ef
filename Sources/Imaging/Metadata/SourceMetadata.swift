import CImagingShim
import RenderModel

extension MetadataBlocks {
  /// What the library has read of a picture.
  init(_ image: borrowing PipelineImage) {
    self.init()
    exif = image.bytes("exif-data").map(EXIFBlock.withoutPrefix)
    xmp = image.bytes("xmp-data")
    iptc = image.bytes("iptc-data")
  }

  /// The metadata of a TIFF, which stand among the directory of its pixels.
  init(tiff file: consuming FileBytes) {
    self.init()
    var file = file
    var simplifications: [(offset: Int, bytes: [UInt8])] = []
    file.withSpan { bytes in
      guard let header = TagHeader(bytes),
        let main = header.directory(bytes, at: header.first)
      else { return }
      if let entry = main.entry(0x02BC) { xmp = bytes.copy(entry.values) }
      if let entry = main.entry(0x83BB) { iptc = bytes.copy(entry.values) }
      if let entry = main.entry(0x8649) {
        let resources = bytes.copy(entry.values)
        takePhotoshop(resources.span)
      }
      if header.isBig {
        if main.entry(0x8769) != nil { losses.add(.exif, "in a BigTIFF they are not read") }
      } else {
        simplifications = EXIFBlock.simplifications(bytes) ?? []
      }
    }
    guard !simplifications.isEmpty else { return }
    for change in simplifications {
      for (index, byte) in change.bytes.enumerated() { file[change.offset + index] = byte }
    }
    do throws(LibraryError) {
      exif = try Self.exif(of: file, &losses)
    } catch {
      losses.add(.exif, "the directories of the TIFF: \(DisplayText.escaped(error.text))")
    }
  }

  /// A small block of what is not about the layout.
  private static func exif(
    of file: borrowing FileBytes, _ losses: inout LossList
  ) throws(LibraryError) -> [UInt8]? {
    let editor = try MetadataEditor()
    try editor.decode(exif: file)
    try editor.remove(.exif) { $0.group == "Image" && TIFFLayout.tags.contains($0.tag) }
    try editor.removeLargeEXIF(&losses)
    return try editor.encode(.exif)
  }

  /// Whether the packet says that a video follows the picture.
  var promisesVideo: Bool {
    guard let xmp, xmp.count <= MetadataLimits.xmp else { return false }
    return ["MotionPhoto", "MicroVideo"].contains { name in
      [":\(name)=\"1\"", ":\(name)='1'", ":\(name)>1<"].contains { xmp.holds($0) }
    }
  }
}

extension [UInt8] {
  /// By bytes: texts are searched by characters, which takes a hundred times as long.
  func holds(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return false }
    for start in 0...(count - wanted.count) where self[start] == first {
      if self[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
    }
    return false
  }
}
