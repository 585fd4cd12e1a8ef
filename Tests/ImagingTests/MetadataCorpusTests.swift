import Imaging
import RenderModel
import Testing

/// Photos as devices write them, where they lie beside the checkout.
private let photos = SharedFolder(
  "corpus", holding: "multi-image", of: "metadata of real photos")

extension ImagingTests {
  @Suite(
    "Metadata of real photos",
    .enabled(if: photos.path != nil, "the corpus is not beside the checkout"))
  struct MetadataOfRealPhotos {
    static let promises = [
      "hdrgm:", "MPF\0", "HDRGainMap", "MotionPhoto", "MicroVideo", "Container:Directory",
      "GDepth:", "apdi:", "HasExtendedXMP", "xapGImg:image", "xmpGImg:image",
    ]

    static func render(
      _ name: String, _ type: UniformType = .jpeg, _ location: Rendition.LocationPolicy = .keep
    ) throws -> (TemporaryFile, RenderResult) {
      try MetadataPolicies.render(
        photos.file(name), type, .keep, location, target: .init(width: 64, height: 64))
    }

    @Test(
      "nothing promises what is gone, and what is gone is listed",
      arguments: [
        ("multi-image/ultra-hdr.jpg", "gainMap"), ("multi-image/apple_gainmap_new.jpg", "gainMap"),
        ("multi-image/Google.jpg", nil), ("multi-image/sugarshack_bad_mpo_header.jpg", nil),
        ("photos-jpeg/Android_Depth_Map.jpg", "depth"), ("heic/iphone_15_pro.heic", "gainMap"),
        ("formats-avif/seine_sdr_gainmap_srgb.avif", "gainMap"),
        ("photos-jpeg/Apple_iPhone_5.jpg", nil), ("photos-jpeg/Nikon_D60.jpg", nil),
        ("photos-jpeg/Olympus_PEN_E-P3.jpg", nil), ("photos-jpeg/Samsung_SM-J327T1.jpg", nil),
      ] as [(String, String?)])
    func promises(name: String, loss: String?) throws {
      for type in [UniformType.jpeg, .webP] {
        let (file, result) = try Self.render(name, type)
        if let loss { #expect(result.losses.contains(loss), "\(result.losses)") }
        let bytes = file.bytes
        for promise in Self.promises { #expect(!bytes.holds(promise), "\(promise)") }
        if ExternalReader.isThere {
          let tags = ExternalReader.tags(file)
          let source = ExternalReader.tags(try photos.file(name))
          for tag in ["IFD0:Model", "ExifIFD:DateTimeOriginal", "ExifIFD:ExposureTime"] {
            #expect(tags[tag] == source[tag], "\(tag)")
          }
          #expect(tags["IFD1:ThumbnailOffset"] == nil)
          #expect(tags["ExifTool:Warning"] == nil, "\(tags["ExifTool:Warning"] ?? "")")
        }
      }
    }

    @Test(
      "a stripped place is gone from photos of every maker",
      .enabled(if: ExternalReader.isThere, "there is no ExifTool to read them"),
      arguments: [
        "photos-jpeg/Nikon_D5000.jpg", "photos-jpeg/DSCN0010.jpg", "heic/Stonehenge.heic",
        "photos-jpeg/empty_gps.jpg", "multi-image/apple_gainmap_new.jpg",
      ])
    func places(name: String) throws {
      for type in MetadataPolicies.types {
        let (file, _) = try Self.render(name, type, .strip)
        #expect(ExternalReader.tags(file).keys.filter { $0.uppercased().contains("GPS") } == [])
      }
    }

    @Test(
      "a burst keeps fractions and offset, byte for byte",
      .enabled(if: ExternalReader.isThere, "there is no ExifTool to read them"),
      arguments: MetadataPolicies.types)
    func burst(type: UniformType) throws {
      for (name, fraction) in [("a", "03"), ("b", "57"), ("c", "910")] {
        let file = try photos.file("reports/11-subsecond-and-offset/burst-\(name).jpg")
        let (output, _) = try MetadataPolicies.render(file, type)
        let tags = ExternalReader.tags(output)
        #expect(tags["ExifIFD:SubSecTimeOriginal"] == fraction)
        #expect(tags["ExifIFD:OffsetTimeOriginal"] == "-07:00")
      }
    }

    @Test("the pictures of the reports on orientation, thumbnail and motion photo are right")
    func reports() throws {
      let turned = try MetadataPolicies.render(
        photos.file("reports/01-rotated-twice/in.jpg"), .jpeg
      ).0
      #expect(try turned.decoded().orientation == 1)
      #expect(try turned.decoded().size == PixelSize(width: 600, height: 400))
      if ExternalReader.isThere {
        let tags = ExternalReader.tags(turned)
        #expect([nil, "600"].contains(tags["ExifIFD:ExifImageWidth"]))
        #expect([nil, "1"].contains(tags["IFD0:Orientation"]))
        #expect(!tags.keys.contains { $0.hasPrefix("IFD1") })
      }
      let motion = try MetadataPolicies.render(
        photos.file("reports/12-motion-photo-trailer/in.jpg"), .jpeg)
      #expect(motion.1.losses == ["motionVideo"])
      #expect(Array(motion.0.bytes.suffix(2)) == [0xFF, 0xD9])
      for promise in Self.promises { #expect(!motion.0.bytes.holds(promise), "\(promise)") }
      for policy in Rendition.MetadataPolicy.allCases {
        let cropped = try MetadataPolicies.render(
          photos.file("reports/10-exif-thumbnail-keeps-old-picture/in.jpg"), .jpeg, policy,
          filters: [.crop(0, 0, 0.5, 0.5)]
        ).0
        // One picture, and no second one in its metadata.
        let bytes = cropped.bytes
        let starts = bytes.indices.dropLast(2).filter {
          bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
        }
        #expect(starts == [0])
      }
    }
  }
}
