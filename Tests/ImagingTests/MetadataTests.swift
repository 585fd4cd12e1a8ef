import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Metadata")
  struct Metadata {
    static let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/jpeg"/></rdf:RDF></x:xmpmeta>
      """

    /// A JPEG with everything a photo carries.
    static func photo(_ xmp: String = packet) throws -> TemporaryFile {
      var drawing = Drawing.scene(60, 40)
      drawing.orientation = 6
      func text(_ value: String) -> [UInt8] {
        Array("\(value) (\(value), ASCII, \(value.utf8.count + 1) components, 1 bytes)".utf8)
      }
      drawing.metadata = [
        "exif-ifd0-Artist": text("Ada"), "exif-ifd0-Copyright": text("None"),
        "exif-ifd0-Model": text("Box"),
        "exif-ifd2-DateTimeOriginal": text("2024:11:06 14:52:37"),
        "exif-ifd2-SubSecTimeOriginal": text("03"),
        "exif-ifd2-OffsetTimeOriginal": text("-07:00"),
        "exif-ifd3-GPSLatitudeRef": text("N"),
        "exif-ifd3-GPSLatitude": Array("52/1 31/1 12/1".utf8),
        "xmp-data": Array(xmp.utf8),
      ]
      return try drawing.file(.jpeg)
    }

    static func render(
      _ file: TemporaryFile, _ metadata: Rendition.MetadataPolicy,
      _ location: Rendition.LocationPolicy = .keep, type: UniformType = .jpeg
    ) throws -> (PixelBuffer, RenderResult) {
      let rendition = Rendition(name: "r", type: type, metadata: metadata, location: location)
      let render = try Render(file, [rendition])
      return (try render.decoded(), render.result)
    }

    static func value(_ picture: PixelBuffer, _ name: String) -> String? {
      picture.metadata[name].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("the capture date comes with its fraction and its offset")
    func captured() throws {
      let file = try Self.photo()
      let header = try file.opened(limits: RenderLimits(), tolerant: false).get().header
      #expect(header.captured == "2024-11-06T14:52:37.03-07:00")
      #expect(header.orientation == 6)
    }

    @Test(
      "kept metadata are kept, what the render made untrue is put right",
      arguments: [
        UniformType.jpeg, .webP, .png, .avif,
      ])
    func keep(type: UniformType) throws {
      let (picture, result) = try Self.render(Self.photo(), .keep, type: type)
      #expect(Self.value(picture, "exif-ifd0-Artist")?.hasPrefix("Ada ") == true)
      #expect(Self.value(picture, "exif-ifd0-Model")?.hasPrefix("Box ") == true)
      #expect(
        Self.value(picture, "exif-ifd2-DateTimeOriginal")?.hasPrefix("2024:11:06 14:52:37 ") == true
      )
      #expect(Self.value(picture, "exif-ifd2-SubSecTimeOriginal")?.hasPrefix("03 ") == true)
      #expect(Self.value(picture, "exif-ifd2-OffsetTimeOriginal")?.hasPrefix("-07:00 ") == true)
      #expect(Self.value(picture, "exif-ifd3-GPSLatitudeRef")?.hasPrefix("N ") == true)
      #expect(picture.orientation == 1)
      #expect(picture.size == PixelSize(width: 40, height: 60))
      #expect(Self.value(picture, "exif-ifd2-PixelXDimension")?.hasPrefix("40 ") == true)
      #expect(Self.value(picture, "exif-ifd2-PixelYDimension")?.hasPrefix("60 ") == true)
      let xmp = Self.value(picture, "xmp-data") ?? ""
      // Of an AVIF the library reads no XMP.
      if type != .avif {
        #expect(xmp.contains("tiff:Orientation=\"1\""))
        #expect(xmp.contains("dc:format=\"image/"))
      }
      #expect(result.losses.isEmpty)
    }

    @Test("stripped metadata leave the profile and nothing of the photo")
    func strip() throws {
      let (picture, _) = try Self.render(Self.photo(), .strip)
      #expect(picture.profile != nil)
      for name in [
        "exif-ifd0-Artist", "exif-ifd0-Copyright", "exif-ifd0-Model", "exif-ifd2-DateTimeOriginal",
        "exif-ifd3-GPSLatitudeRef", "xmp-data", "iptc-data",
      ] { #expect(picture.metadata[name] == nil, "\(name)") }
    }

    @Test("minimal metadata are author, rights and date")
    func minimal() throws {
      let (picture, _) = try Self.render(Self.photo(), .minimal)
      #expect(picture.profile != nil)
      #expect(Self.value(picture, "exif-ifd0-Artist")?.hasPrefix("Ada ") == true)
      #expect(Self.value(picture, "exif-ifd0-Copyright")?.hasPrefix("None ") == true)
      #expect(
        Self.value(picture, "exif-ifd2-DateTimeOriginal")?.hasPrefix("2024:11:06 14:52:37 ") == true
      )
      for name in ["exif-ifd0-Model", "exif-ifd3-GPSLatitudeRef", "xmp-data"] {
        #expect(picture.metadata[name] == nil, "\(name)")
      }
    }

    @Test("a stripped location is gone from EXIF and from XMP, and nothing else is")
    func location() throws {
      let plain = try Self.render(Self.photo(), .keep, .strip)
      #expect(plain.0.metadata.keys.allSatisfy { !$0.hasPrefix("exif-ifd3-") })
      #expect(plain.0.metadata["xmp-data"] != nil)
      #expect(plain.0.metadata["exif-ifd0-Artist"] != nil)
      #expect(plain.1.losses.isEmpty)

      let placed = Self.packet.replacing(
        "dc:format=",
        with: "xmlns:exif=\"http://ns.adobe.com/exif/1.0/\" exif:GPSLatitude=\"52,31N\" dc:format=")
      let stripped = try Self.render(Self.photo(placed), .keep, .strip)
      #expect(Self.value(stripped.0, "xmp-data")?.contains("GPSLatitude") == false)
      #expect(Self.value(stripped.0, "xmp-data")?.contains("Orientation") == true)
      #expect(stripped.1.losses.isEmpty)
      let kept = try Self.render(Self.photo(placed), .keep).0
      #expect(Self.value(kept, "xmp-data")?.contains("GPSLatitude") == true)
    }

    @Test(
      "an embedded thumbnail of the old picture is gone",
      arguments: [
        Rendition.MetadataPolicy.keep, .minimal, .strip,
      ])
    func thumbnail(policy: Rendition.MetadataPolicy) throws {
      let old = try Drawing.picture(16, 16) { x, y, band in
        [x * 16, x * y, y * 16][band]
      }.file(.jpeg).bytes
      var drawing = Drawing.scene(60, 40)
      drawing.metadata = ["jpeg-thumbnail-data": old]
      let file = try drawing.file(.jpeg)
      #expect(Self.contains(file.bytes, old))
      let render = try Render(file, [Rendition(name: "r", metadata: policy)])
      #expect(!Self.contains(render.files[0].bytes, old))
      #expect(try render.decoded().metadata["jpeg-thumbnail-data"] == nil)
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
      // From the coefficients at the end: all that comes before them is tables that any JPEG may have.
      let middle = Array(part.dropLast(2).suffix(24))
      return (0...(bytes.count - middle.count)).contains {
        bytes[$0] == middle[0] && bytes[$0..<($0 + middle.count)].elementsEqual(middle)
      }
    }
  }
}

@Suite("EXIF block")
struct EXIFBlockTests {
  /// One entry: tag 0x0112, SHORT, one value.
  static func block(_ value: UInt8, big: Bool, prefix: Bool) -> [UInt8] {
    let head: [UInt8] = big ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let entry: [UInt8] =
      big
      ? [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
      : [1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
    return (prefix ? Array("Exif\0\0".utf8) : []) + head + entry
  }

  @Test("the orientation is read in either byte order", arguments: [true, false], [true, false])
  func read(big: Bool, prefix: Bool) {
    for value in 1...8 {
      let block = Self.block(UInt8(value), big: big, prefix: prefix)
      #expect(EXIFBlock.orientation(of: block) == value)
    }
  }

  @Test("broken blocks have none")
  func broken() {
    let whole = Self.block(6, big: true, prefix: true)
    for length in 0..<(whole.count - 8) {
      #expect(EXIFBlock.orientation(of: Array(whole.prefix(length))) == nil)
    }
    #expect(EXIFBlock.orientation(of: Self.block(9, big: false, prefix: false)) == nil)
  }
}
