import Imaging
import RenderModel
import Testing

/// Files of cameras and other programs, where they lie beside the checkout; their truths are in its list.
let corpusInputs = SharedFolder("corpus", holding: "heic", of: "files of every kind")

extension ImagingTests {
  @Suite(
    "Files of every kind",
    .enabled(if: corpusInputs.path != nil, "the corpus is not beside the checkout"))
  struct InputCorpus {
    struct Known: Sendable {
      var name: String
      var type: UniformType
      var shown: (Int, Int)
      var losses: Set<String>

      init(_ name: String, _ type: UniformType, _ shown: (Int, Int), _ losses: Set<String> = []) {
        self.name = name
        self.type = type
        self.shown = shown
        self.losses = losses
      }
    }

    static let known: [Known] = [
      Known("heic/arrow.heic", .heic, (3024, 4032), ["thumbnail"]),
      Known("heic/iphone_15_pro.heic", .heic, (3024, 4032), ["gainMap", "thumbnail"]),
      Known("heic/iphone_7.heic", .heic, (3024, 4032)),
      Known("heic/rainbow-451x461.heic", .heic, (451, 461)),
      Known("heic/spatial_photo.heic", .heic, (2560, 2560), ["pages"]),
      Known("heic/with-alpha-512x512.heic", .heic, (512, 512)),
      Known("heic/empty_icc.heic", .heic, (1025, 900), ["pages"]),
      Known("heic/L_12__128x128.heif", .heic, (128, 128)),
      Known("heic/RGBA_10__128x128.heif", .heic, (128, 128)),
      Known("orientation/kimono.crop.avif", .avif, (385, 330)),
      Known("orientation/kimono.rotate90.avif", .avif, (722, 1024)),
      Known("orientation/kimono.mirror-horizontal.avif", .avif, (722, 1024)),
      Known("orientation/avif-orientation-6.avif", .avif, (3024, 4032)),
      Known("formats-avif/abc_color_irot_alpha_NOirot.avif", .avif, (256, 512)),
      Known("formats-avif/colors-animated-8bpc.avif", .avif, (150, 150), ["animation"]),
      Known("formats-avif/seine_sdr_gainmap_srgb.avif", .avif, (400, 300), ["gainMap"]),
      Known("formats-avif/sofa_grid1x5_420.avif", .avif, (1024, 770)),
      Known("formats-jxl/8bit-sRGB.jxl", .jpegXL, (1440, 1080)),
      Known("formats-jxl/cropped_traffic_light.jxl", .jpegXL, (50, 80), ["animation"]),
      Known("formats-jxl/1x1_exif_xmp.jxl", .jpegXL, (1, 1)),
      Known("formats-jxl/pq_gradient.jxl", .jpegXL, (1088, 64)),
      Known("formats-webp/Nikon_Coolpix_P7000.webp", .webP, (2736, 3648)),
      Known("multi-image/sugarshack.mpo", .jpeg, (640, 480), ["pages"]),
      Known("multi-image/sugarshack_bad_mpo_header.jpg", .jpeg, (640, 480)),
      Known("multi-image/ultra-hdr.jpg", .jpeg, (3840, 2160), ["gainMap"]),
      Known("multi-image/apple_gainmap_new.jpg", .jpeg, (384, 512), ["gainMap"]),
      Known("multi-image/multipage.tiff", .tiff, (10, 10), ["pages"]),
      Known("png/ball.png", .png, (100, 100), ["animation"]),
      Known("tiff/12bit.cropped.tif", .tiff, (100, 100)),
      Known("tiff/subsampled.tif", .tiff, (250, 325)),
      Known("tiff/tiff_tiled_planar_lzw.tiff", .tiff, (278, 374)),
      Known("tiff/BigTIFFLong8Tiles.tif", .tiff, (64, 64)),
    ]

    /// What says that something else was in the file; depth and colour depend on the rendition.
    static let extras: Set<String> = [
      "gainMap", "depth", "mattes", "auxiliaryImages", "thumbnail", "pages", "animation",
      "motionVideo", "extraChannels", "pixelAspect",
    ]

    @Test("type, size as shown and what is lost", arguments: known)
    func knowns(known: Known) throws {
      let file = try corpusInputs.file(known.name)
      let header = try file.opened().get().header
      #expect(header.type == known.type)
      #expect(header.displayedSize == known.shown)
      let small = Rendition(name: "r", type: .png, targetSize: .init(width: 64, height: 64))
      let render = try Render(file, [small])
      #expect(Set(render.result.losses).intersection(Self.extras) == known.losses)
      let aspect = Double(known.shown.0) / Double(known.shown.1)
      let size = render.result.outputs[0]
      #expect(abs(Double(size.width) / Double(size.height) - aspect) < 0.1 * aspect)
    }

    @Test(
      "whatever the container turns and mirrors, the sky is above and the words are where they say",
      arguments: ["rot0mir0", "rot1mir1", "rot2mir0", "rot2mir1", "rot3mir0"])
    func landscapes(name: String) throws {
      func picture(_ name: String) throws -> PixelBuffer {
        let rendition = Rendition(name: "r", type: .png)
        return try Render(corpusInputs.file("orientation/\(name).avif"), [rendition]).decoded()
      }
      let shown = try picture(name)
      #expect(shown.size == PixelSize(width: 640, height: 427))
      #expect(shown[320, 12, 2] > 180)
      // All are the same photo; only the words in the middle differ.
      let first = try picture("rot0mir0")
      var far = 0
      for y in stride(from: 0, to: 427, by: 7) {
        for x in stride(from: 0, to: 640, by: 7) {
          far += abs(shown[x, y, 0] - first[x, y, 0])
        }
      }
      // Each was encoded by itself, which alone is 7 codes; turned wrongly it is more than 60.
      #expect(far / (61 * 91) < 16, "\(far / (61 * 91))")
    }

    @Test("the opacity of a rotated picture lies on its colours")
    func opacity() throws {
      let file = try corpusInputs.file("formats-avif/abc_color_irot_alpha_NOirot.avif")
      let picture = try Render(file, [Rendition(name: "r", type: .png)]).decoded()
      #expect(picture.bands == 4)
      let opacities = Set(
        stride(from: 3, to: picture.samples.count, by: 4).map { picture.samples[$0] })
      #expect(opacities.contains(128) && opacities.contains(255))
    }

    @Test("grey of ten bits is as bright as libavif shows it")
    func grey() throws {
      let name = "fox.profile0.10bpc.yuv420.monochrome.odd-width.odd-height.avif"
      let file = try corpusInputs.file("formats-avif/\(name)")
      let picture = try Render(file, [Rendition(name: "r", type: .png)]).decoded()
      #expect(picture.size == PixelSize(width: 1203, height: 799))
      #expect(abs(picture[600, 400, 0] - 100) <= 1 && abs(picture[100, 100, 0] - 12) <= 1)
      #expect(try file.opened().get().header.bitDepth == 16)
    }
  }
}
