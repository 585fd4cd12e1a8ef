import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Promises that a rendition cannot keep")
  struct BrokenPromises {
    static let types: [UniformType] = [.jpeg, .png, .webP, .tiff, .avif]

    /// An Ultra HDR photo: a picture, an index of two, and the gain map behind.
    static func ultraHDR() throws -> TemporaryFile {
      let gain = try Containers.jpeg(
        Drawing.scene(15, 10).file(.jpeg).bytes,
        [
          Containers.xmpSegment(
            Blocks.xmp(
              "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"3\"", spaces: Self.gainMapSpace))
        ])
      let packet = Blocks.xmp(
        "hdrgm:Version=\"1.0\" xmp:Rating=\"3\"",
        """
        <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item \
        Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource">\
        <Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\(gain.count)"/>\
        </rdf:li></rdf:Seq></Container:Directory>
        """, spaces: Self.gainMapSpace + Self.containerSpace)
      let index = multiPictureIndex(secondType: 0, length: gain.count)
      let bytes = try Containers.jpeg(
        LadenPhoto.drawing().file(.jpeg).bytes,
        [
          Containers.exifSegment(LadenPhoto.exif()), Containers.xmpSegment(packet),
          Containers.jpegSegment(0xE2, index),
        ])
      return try TemporaryFile(bytes + gain)
    }

    static let gainMapSpace = " xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\""
    static let containerSpace = """
       xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
      """

    /// CIPA DC-007: version, number of pictures, and an entry of 16 bytes for each.
    static func multiPictureIndex(secondType: Int, length: Int) -> [UInt8] {
      let entries =
        Blocks.big(0x20_030000, 4) + Blocks.big(1000, 4) + Blocks.big(0, 8)
        + Blocks.big(secondType, 4) + Blocks.big(length, 4) + Blocks.big(1000, 4)
        + Blocks.big(0, 4)
      return Array("MPF\0".utf8)
        + Blocks.exif(main: [
          .undefined(0xB000, Array("0100".utf8)), .long(0xB001, 2), .undefined(0xB002, entries),
        ])
    }

    @Test("a gain map leaves no trace", arguments: types)
    func gainMap(type: UniformType) throws {
      let (file, result) = try MetadataPolicies.render(Self.ultraHDR(), type)
      #expect(result.losses == ["gainMap"])
      for text in ["hdrgm", "hdr-gain-map", "MPF", "Container", "GainMap", "Semantic"] {
        #expect(!file.bytes.holds(text), "\(text)")
      }
      if ExternalReader.isThere {
        let tags = ExternalReader.tags(file)
        #expect(tags["XMP-xmp:Rating"] == "3")
        #expect(tags["IFD0:Artist"] == "Ada")
        #expect(!tags.keys.contains { $0.hasPrefix("MPF") || $0.hasPrefix("XMP-hdrgm") })
      }
    }

    @Test("a motion photo becomes a still that says nothing of a video")
    func motionPhoto() throws {
      let packet = Blocks.xmp(
        "GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\" GCamera:MicroVideoOffset=\"99\"",
        spaces: " xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\"")
      let video: [UInt8] = [0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0]
      let file = try TemporaryFile(
        LadenPhoto.jpeg(packet).bytes + video + [UInt8](repeating: 7, count: 99))
      let (output, result) = try MetadataPolicies.render(file, .jpeg)
      #expect(result.losses == ["motionVideo"])
      let bytes = output.bytes
      #expect(Array(bytes.suffix(2)) == [0xFF, 0xD9])
      for text in ["MotionPhoto", "MicroVideo", "ftyp"] { #expect(!bytes.holds(text), "\(text)") }
    }

    @Test(
      "pictures of a stereo pair or a panorama count as pages, larger previews do not",
      arguments: [(0x02_0002, true), (0x01_0001, false)])
    func otherPictures(kind: Int, counts: Bool) throws {
      let second = try Drawing.scene(12, 8).file(.jpeg).bytes
      let bytes = try Containers.jpeg(
        LadenPhoto.drawing().file(.jpeg).bytes,
        [
          Containers.jpegSegment(
            0xE2, Self.multiPictureIndex(secondType: kind, length: second.count))
        ])
      let (output, result) = try MetadataPolicies.render(TemporaryFile(bytes + second), .jpeg)
      #expect(result.losses == (counts ? ["pages"] : ["thumbnail"]))
      #expect(!output.bytes.holds("MPF"))
    }

    @Test(
      "a thumbnail of the picture before its crop is nowhere in the rendition", arguments: types,
      Rendition.MetadataPolicy.allCases)
    func thumbnail(type: UniformType, policy: Rendition.MetadataPolicy) throws {
      let old = try Drawing.picture(16, 16) { x, y, band in [x * 16, x * y, y * 16][band] }
        .file(.jpeg).bytes
      let file = try LadenPhoto.jpeg(thumbnail: old)
      let mark = Array(old.dropLast(2).suffix(24))
      #expect(file.bytes.holds(mark))
      let (output, _) = try MetadataPolicies.render(
        file, type, policy, filters: [.crop(0, 0, 0.5, 0.5)])
      #expect(!output.bytes.holds(mark))
    }

    @Test("maker notes are kept, but not with a preview in them, a stripped place, or in a TIFF")
    func makerNotes() throws {
      let plain = try LadenPhoto.jpeg(
        more: [.undefined(0x927C, Array("BOXNOTE\0some private facts".utf8))])
      let kept = try MetadataPolicies.render(plain, .jpeg)
      #expect(kept.0.bytes.holds("some private facts"))
      #expect(kept.1.losses.isEmpty)
      let placed = try MetadataPolicies.render(plain, .jpeg, .keep, .strip)
      #expect(!placed.0.bytes.holds("some private facts"))
      #expect(placed.1.losses == ["makerNote"])
      let tiff = try MetadataPolicies.render(plain, .tiff)
      #expect(tiff.1.losses == ["makerNote"])

      let preview = try Drawing.scene(16, 16).file(.jpeg).bytes
      let holding = try LadenPhoto.jpeg(
        more: [.undefined(0x927C, Array("BOXNOTE\0".utf8) + preview)])
      let without = try MetadataPolicies.render(holding, .jpeg)
      #expect(without.1.losses == ["makerNote"])
      #expect(!without.0.bytes.holds("BOXNOTE"))
      #expect(without.0.bytes.holds("Ada"))
    }

    @Test("Apple's maker notes lose what pairs a photo with a video or describes a gain map")
    func appleMakerNote() throws {
      // A directory at 14 whose offsets count from the note's start.
      let identifier = Array("11112222-3333-4444-5555-666677778888\0".utf8)
      var note = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + Blocks.big(3, 2)
      let values = 14 + 2 + 3 * 12 + 4
      note += Blocks.big(0x01, 2) + Blocks.big(9, 2) + Blocks.big(1, 4) + Blocks.big(14, 4)
      note += Blocks.big(0x11, 2) + Blocks.big(2, 2) + Blocks.big(identifier.count, 4)
      note += Blocks.big(values, 4)
      note += Blocks.big(0x21, 2) + Blocks.big(10, 2) + Blocks.big(1, 4)
      note += Blocks.big(values + identifier.count + 1, 4)
      note += Blocks.big(0, 4) + identifier + [0] + Blocks.big(12345, 4) + Blocks.big(777, 4)
      let file = try TemporaryFile(
        Containers.jpeg(
          LadenPhoto.drawing().file(.jpeg).bytes,
          [
            Containers.exifSegment(
              Blocks.exif(
                main: [.ascii(0x010F, "Apple"), .ascii(0x0110, "iPhone")],
                details: [.undefined(0x927C, note)]))
          ]))
      let (output, result) = try MetadataPolicies.render(file, .jpeg)
      #expect(result.losses.isEmpty)
      #expect(output.bytes.holds("Apple iOS"))
      #expect(!output.bytes.holds(Array(identifier.dropLast())))
      if ExternalReader.isThere {
        let named = String(decoding: identifier.dropLast(), as: UTF8.self)
        #expect(ExternalReader.tags(file).values.contains(named))
        let tags = ExternalReader.tags(output)
        #expect(tags["Apple:MakerNoteVersion"] == "14")
        #expect(!tags.values.contains(named))
        #expect(tags["Apple:HDRHeadroom"] == nil)
      }
    }

    @Test("signed credentials of the original are gone and reported")
    func contentCredentials() throws {
      let file = try TemporaryFile(
        Containers.jpeg(
          LadenPhoto.drawing().file(.jpeg).bytes,
          [Containers.jpegSegment(0xEB, Array("JP\0\u{1}\0\0\0\u{1}\0\0\0\u{8}jumb".utf8))]))
      let (output, result) = try MetadataPolicies.render(file, .jpeg)
      #expect(result.losses == ["contentCredentials"])
      #expect(!output.bytes.holds("jumb"))
    }
  }
}
