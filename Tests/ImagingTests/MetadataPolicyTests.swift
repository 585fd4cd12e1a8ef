import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Metadata policies")
  struct MetadataPolicies {
    static let types: [UniformType] = [.jpeg, .png, .webP, .tiff, .avif]

    static func render(
      _ file: TemporaryFile, _ type: UniformType, _ metadata: Rendition.MetadataPolicy = .keep,
      _ location: Rendition.LocationPolicy = .keep,
      colorSpace: Rendition.ColorSpace = .source, filters: [FilterStep] = [],
      target: Rendition.TargetSize? = nil
    ) throws -> (TemporaryFile, RenderResult) {
      let rendition = Rendition(
        name: "r", type: type, targetSize: target, colorSpace: colorSpace, metadata: metadata,
        location: location)
      let render = try Render(file, [rendition], filters: filters)
      return (render.files[0], render.result)
    }

    @Test(
      "what is kept is all there and true of the pixels",
      .enabled(if: ExternalReader.isThere), arguments: types, Rendition.LocationPolicy.allCases)
    func keep(type: UniformType, location: Rendition.LocationPolicy) throws {
      let (file, result) = try Self.render(LadenPhoto.jpeg(), type, .keep, location)
      let tags = ExternalReader.tags(file)
      let expected = [
        "IFD0:Artist": "Ada", "IFD0:Copyright": "None", "IFD0:Model": "Box",
        "ExifIFD:DateTimeOriginal": "2024:11:06 14:52:37", "ExifIFD:SubSecTimeOriginal": "03",
        "ExifIFD:OffsetTimeOriginal": "-07:00", "ExifIFD:ISO": "400",
        "ExifIFD:ExifImageWidth": "40", "ExifIFD:ExifImageHeight": "60",
        "ExifIFD:ColorSpace": "1", "IFD0:Orientation": "1", "XMP-tiff:Orientation": "1",
        "XMP-tiff:ImageWidth": "40", "XMP-tiff:ImageHeight": "60",
        "XMP-exif:ExifImageWidth": "40", "XMP-exif:ExifImageHeight": "60",
        "XMP-photoshop:Credit": "Agency", "XMP-dc:Creator": "Ada", "XMP-xmp:Rating": "4",
      ]
      for (name, value) in expected { #expect(tags[name] == value, "\(name)") }
      let places = [
        "GPS:GPSLatitudeRef": "N", "XMP-photoshop:City": "Berlin",
      ]
      for (name, value) in places {
        #expect(tags[name] == (location == .keep ? value : nil), "\(name)")
      }
      #expect(tags.keys.contains { $0.contains("GPS") } == (location == .keep))
      // Nothing of the subject's place in the picture as it lay, and nothing of the source's layout.
      for name in ["ExifIFD:SubjectArea", "XMP-tiff:Compression", "ExifIFD:FocalPlaneXResolution"] {
        #expect(tags[name] == nil, "\(name)")
      }
      let bytes = file.bytes
      #expect(bytes.holds("Berlin") == (location == .keep))
      if type == .jpeg || type == .tiff {
        #expect(tags["IPTC:By-line"] == "Ada")
        #expect(tags["IPTC:Keywords"] == "Köln")
        #expect(tags["IPTC:City"] == (location == .keep ? "Berlin" : nil))
      } else {
        // Said in XMP, where there is no place for IPTC.
        #expect(tags["XMP-dc:Subject"] == "Köln")
      }
      #expect(result.losses.isEmpty, "\(result.losses) \(result.lossNotes)")
    }

    @Test(
      "minimal metadata say who, when and on what terms, and nothing else",
      .enabled(if: ExternalReader.isThere), arguments: types)
    func minimal(type: UniformType) throws {
      let (file, _) = try Self.render(LadenPhoto.jpeg(), type, .minimal)
      let tags = ExternalReader.tags(file)
      let expected = [
        "IFD0:Artist": "Ada", "IFD0:Copyright": "None",
        "ExifIFD:DateTimeOriginal": "2024:11:06 14:52:37", "ExifIFD:SubSecTimeOriginal": "03",
        "ExifIFD:OffsetTimeOriginal": "-07:00", "IFD0:Orientation": "1",
        "ExifIFD:ExifImageWidth": "40", "ExifIFD:ColorSpace": "1", "XMP-dc:Creator": "Ada",
        "XMP-photoshop:Credit": "Agency",
      ]
      for (name, value) in expected { #expect(tags[name] == value, "\(name)") }
      for name in ["IFD0:Model", "ExifIFD:ISO", "XMP-xmp:Rating", "IPTC:Keywords"] {
        #expect(tags[name] == nil, "\(name)")
      }
      #expect(!tags.keys.contains { $0.contains("GPS") })
      #expect(!file.bytes.holds("Berlin"))
    }

    @Test("stripped metadata leave the profile alone", arguments: types)
    func strip(type: UniformType) throws {
      let (file, result) = try Self.render(LadenPhoto.jpeg(), type, .strip)
      let picture = try file.decoded()
      #expect(picture.profile != nil)
      #expect(result.losses.isEmpty)
      for name in ["exif-data", "xmp-data", "iptc-data"] {
        #expect(picture.metadata[name] == nil, "\(name)")
      }
      for text in ["Ada", "Berlin", "Box", "2024:11", "Exif", "adobe:ns", "8BIM"] {
        #expect(!file.bytes.holds(text), "\(text)")
      }
    }

    @Test("the pixels are the same, whatever is said of them", arguments: types)
    func pixels(type: UniformType) throws {
      let plain = try Self.render(LadenPhoto.jpeg(), type, .strip).0.decoded()
      for policy in [Rendition.MetadataPolicy.keep, .minimal] {
        let other = try Self.render(LadenPhoto.jpeg(), type, policy).0.decoded()
        #expect(other.samples == plain.samples)
        #expect(other.profile == plain.profile)
        #expect(other.size == PixelSize(width: 40, height: 60))
      }
    }

    @Test(
      "every source that has Exif and XMP gives them on", .enabled(if: ExternalReader.isThere),
      arguments: [UniformType.png, .webP, .tiff], types)
    func sources(source: UniformType, type: UniformType) throws {
      let original = try LadenPhoto.file(source)
      let header = try original.opened().get().header
      #expect(header.captured == "2024-11-06T14:52:37.03-07:00")
      #expect(header.orientation == 6)
      let (file, result) = try Self.render(original, type)
      let tags = ExternalReader.tags(file)
      let expected = [
        "IFD0:Artist": "Ada", "ExifIFD:SubSecTimeOriginal": "03", "ExifIFD:ISO": "400",
        "ExifIFD:ExifImageWidth": "40", "IFD0:Orientation": "1", "GPS:GPSLongitudeRef": "E",
        "XMP-photoshop:Credit": "Agency", "XMP-tiff:Orientation": "1",
      ]
      for (name, value) in expected { #expect(tags[name] == value, "\(name)") }
      if type != .tiff {
        for name in ["StripOffsets", "BitsPerSample", "PhotometricInterpretation", "RowsPerStrip"] {
          #expect(tags["IFD0:\(name)"] == nil, "\(name)")
        }
      }
      #expect(result.losses.isEmpty, "\(result.losses) \(result.lossNotes)")
    }

    @Test(
      "metadata survive a second render", .enabled(if: ExternalReader.isThere), arguments: types)
    func again(type: UniformType) throws {
      let first = try Self.render(LadenPhoto.jpeg(), type).0
      let (file, _) = try Self.render(first, .jpeg, target: .init(width: 20, height: 0))
      let tags = ExternalReader.tags(file)
      let expected = [
        "IFD0:Artist": "Ada", "ExifIFD:OffsetTimeOriginal": "-07:00",
        "ExifIFD:ExifImageWidth": "20", "ExifIFD:ExifImageHeight": "30",
        "GPS:GPSLatitudeRef": "N", "XMP-dc:Creator": "Ada", "XMP-tiff:ImageWidth": "20",
      ]
      for (name, value) in expected { #expect(tags[name] == value, "\(name)") }
    }

    @Test(
      "Exif's colour space agrees with the profile", .enabled(if: ExternalReader.isThere),
      arguments: types)
    func colourSpace(type: UniformType) throws {
      let (file, _) = try Self.render(LadenPhoto.jpeg(), type, colorSpace: .displayP3)
      #expect(ExternalReader.tags(file)["ExifIFD:ColorSpace"] == "65535")
    }

    @Test("a crop takes regions with it, a scale does not")
    func regions() throws {
      let packet = Blocks.xmp(
        "",
        """
        <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="60" \
        stDim:h="40" stDim:unit="pixel"/><mwg-rs:RegionList><rdf:Bag><rdf:li>\
        <rdf:Description mwg-rs:Name="Grace"><mwg-rs:Area stArea:x="0.5" stArea:y="0.5" \
        stArea:w="0.1" stArea:h="0.1"/></rdf:Description></rdf:li></rdf:Bag></mwg-rs:RegionList>\
        </mwg-rs:Regions>
        """,
        spaces: """
          xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
          xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" \
          xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
          """)
      let file = try TemporaryFile(
        Containers.jpeg(
          LadenPhoto.drawing().file(.jpeg).bytes, [Containers.xmpSegment(packet)]))
      let scaled = try Self.render(file, .jpeg, target: .init(width: 30, height: 0))
      #expect(scaled.1.losses.isEmpty)
      #expect(scaled.0.bytes.holds("Grace"))
      #expect(scaled.0.bytes.holds("stDim:w=\"30\""))
      let cropped = try Self.render(file, .jpeg, filters: [.crop(0, 0, 0.5, 1)])
      #expect(cropped.1.losses == ["regions"])
      #expect(!cropped.0.bytes.holds("Grace"))
    }
  }
}

extension [UInt8] {
  func holds(_ text: String) -> Bool { holds(Array(text.utf8)) }

  func holds(_ part: [UInt8]) -> Bool {
    guard count >= part.count, let first = part.first else { return false }
    return (0...(count - part.count)).contains {
      self[$0] == first && self[$0..<($0 + part.count)].elementsEqual(part)
    }
  }
}
