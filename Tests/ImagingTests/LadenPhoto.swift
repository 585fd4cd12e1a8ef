import Imaging
import RenderModel

/// Photos with everything that a photo carries, written by hand around a drawn picture of 60 x 40 that
/// is stored lying on its side.
enum LadenPhoto {
  static let maker: [Blocks.Tag] = [
    .ascii(0x010F, "Boxmaker"), .ascii(0x0110, "Box"), .ascii(0x013B, "Ada"),
    .ascii(0x8298, "None"), .short(0x0112, 6), .ascii(0x0132, "2024:11:07 08:00:00"),
    .rational(0x011A, (300, 1)), .rational(0x011B, (300, 1)), .short(0x0128, 2),
  ]
  static let details: [Blocks.Tag] = [
    .undefined(0x9000, Array("0232".utf8)), .ascii(0x9003, "2024:11:06 14:52:37"),
    .ascii(0x9291, "03"), .ascii(0x9011, "-07:00"), .short(0xA001, 1), .long(0xA002, 60),
    .long(0xA003, 40), .rational(0x829A, (1, 250)), .short(0x9214, 10, 12, 5, 5),
    .rational(0xA20E, (1000, 1)), .short(0x8827, 400),
  ]
  static let place: [Blocks.Tag] = [
    .undefined(0x0000, [2, 3, 0, 0]), .ascii(0x0001, "N"),
    .rational(0x0002, (52, 1), (31, 1), (12, 1)), .ascii(0x0003, "E"),
    .rational(0x0004, (13, 1), (24, 1), (0, 1)),
  ]

  static func exif(thumbnail: [UInt8]? = nil, more: [Blocks.Tag] = []) -> [UInt8] {
    Blocks.exif(main: maker, details: details + more, place: place, thumbnail: thumbnail)
  }

  static let xmp = Blocks.xmp(
    """
    tiff:Orientation="6" tiff:ImageWidth="60" tiff:ImageLength="40" tiff:Compression="6" \
    exif:PixelXDimension="60" exif:PixelYDimension="40" exif:GPSLatitude="52,31.2N" \
    photoshop:City="Berlin" photoshop:Credit="Agency" dc:format="image/x-old" xmp:Rating="4"
    """, "<dc:creator><rdf:Seq><rdf:li>Ada</rdf:li></rdf:Seq></dc:creator>")

  static let iptc = Blocks.iptc([
    (1, 90, [0x1B, 0x25, 0x47]), (2, 0, [0, 4]), (2, 80, Array("Ada".utf8)),
    (2, 90, Array("Berlin".utf8)), (2, 25, Array("Köln".utf8)), (2, 116, Array("None".utf8)),
  ])

  static func drawing() -> PixelBuffer { Drawing.scene(60, 40) }

  /// `more`: further entries of the Exif directory.
  static func jpeg(
    _ xmp: [UInt8] = xmp, thumbnail: [UInt8]? = nil, more: [Blocks.Tag] = []
  ) throws -> TemporaryFile {
    try TemporaryFile(
      Containers.jpeg(
        drawing().file(.jpeg).bytes,
        [
          Containers.exifSegment(exif(thumbnail: thumbnail, more: more)),
          Containers.xmpSegment(xmp), Containers.iptcSegment(iptc),
        ]))
  }

  /// The same in a type; not every type has a place for IPTC.
  static func file(_ type: UniformType) throws -> TemporaryFile {
    switch type {
    case .jpeg: return try jpeg()
    case .png:
      return try TemporaryFile(
        Containers.png(
          drawing().file(.png).bytes,
          [
            Containers.pngChunk("eXIf", exif()),
            Containers.pngChunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp),
          ]))
    case .webP:
      return try TemporaryFile(
        Containers.webP(
          drawing().file(.webP).bytes, width: 60, height: 40,
          [("EXIF", exif()), ("XMP ", xmp)]))
    default: return try tiff()
    }
  }

  /// Uncompressed, its Exif among the layout of its pixels.
  static func tiff() throws -> TemporaryFile {
    let drawing = drawing()
    let layout: [Blocks.Tag] = [
      .long(0x0100, 60), .long(0x0101, 40), .short(0x0102, 8, 8, 8), .short(0x0103, 1),
      .short(0x0106, 2), .long(0x0111, 8), .short(0x0115, 3), .long(0x0116, 40),
      .long(0x0117, drawing.samples.count), .short(0x011C, 1),
      Blocks.Tag(number: 0x02BC, type: 1, count: xmp.count, bytes: xmp),
      .undefined(0x83BB, iptc),
    ]
    return try TemporaryFile(
      Blocks.exif(
        main: layout + maker, details: details, place: place, before: drawing.samples))
  }
}
