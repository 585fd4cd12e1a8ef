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
  init(tiff file: consuming FileBytes, _ pages: TIFFPages) {
    self.init()
    density = pages.density
    var file = file
    var simplifications: [(offset: Int, bytes: [UInt8])] = []
    file.withSpan { bytes in
      guard let header = TagHeader(bytes),
        let (main, offset) = Self.telling(header, bytes, pages)
      else { return }
      xmp = Self.block(0x02BC, in: main, bytes, limit: MetadataLimits.xmp)
      iptc = Self.block(0x83BB, in: main, bytes, limit: MetadataLimits.iptc)
      if let resources = Self.block(0x8649, in: main, bytes, limit: MetadataLimits.photoshop) {
        takePhotoshop(resources.span)
      }
      if header.isBig {
        if main.entries.contains(where: { !TIFFLayout.isRead($0.tag) }) {
          losses.add(.exif, "in a BigTIFF they are not read")
        }
      } else {
        simplifications = EXIFBlock.simplifications(bytes, main: offset) ?? []
        // Exiv2 begins with the first directory.
        simplifications.append((4, header.bytes(of: offset, 4)))
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

  /// The directory of the picture that is shown, or the first where that says more.
  private static func telling(
    _ header: TagHeader, _ bytes: Span<UInt8>, _ pages: TIFFPages
  ) -> (TagDirectory, Int)? {
    let first = header.directory(bytes, at: header.first)
    guard pages.shownOffset != header.first,
      let shown = header.directory(bytes, at: pages.shownOffset)
    else { return first.map { ($0, header.first) } }
    // A camera's name, Exif, GPS, XMP.
    let signs = [0x010F, 0x8769, 0x8825, 0x02BC]
    func says(_ directory: TagDirectory) -> Bool { signs.contains { directory.entry($0) != nil } }
    if let first, says(first), !says(shown) { return (first, header.first) }
    return (shown, pages.shownOffset)
  }

  /// A copy of what an entry holds; of what is too large so much that it is seen to be.
  private static func block(
    _ tag: Int, in directory: TagDirectory, _ bytes: Span<UInt8>, limit: Int
  ) -> [UInt8]? {
    directory.entry(tag).map { bytes.copy($0.values.prefix(limit + 1)) }
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
