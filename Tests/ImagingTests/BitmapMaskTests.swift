import ColourEngine
import RenderModel
import Testing

@testable import Imaging

extension ImagingTests {
  @Suite("Mask bitmaps")
  struct BitmapMasks {
    /// Black on the left half, white on the right, as displayed.
    static func halves(
      orientation: Int, type: UniformType = .jpeg
    ) throws -> TemporaryFile {
      // A quarter turn clockwise takes the bottom to the left.
      var picture =
        orientation == 6
        ? Drawing.picture(8, 16) { _, y, _ in y < 8 ? 255 : 0 }
        : Drawing.picture(16, 8) { x, _, _ in x < 8 ? 0 : 255 }
      picture.orientation = orientation
      return try picture.file(type)
    }

    @Test("grey values are weights, as the picture is displayed", arguments: [1, 6])
    func weights(orientation: Int) throws {
      let file = try Self.halves(orientation: orientation)
      let mask = try withExtendedLifetime(file) {
        try BitmapFile(name: "m.jpg", descriptor: file.descriptor).read(RenderLimits())
      }
      #expect(mask.width == 16 && mask.height == 8)
      for row in 0..<8 {
        #expect(abs(mask.weights[row * 16 + 2]) < 0.02)
        #expect(abs(mask.weights[row * 16 + 13] - 1) < 0.02)
      }
    }

    @Test("a filter with a bitmap mask acts where the bitmap is white")
    func masked() throws {
      let file = try Drawing.picture(64, 32) { _, _, _ in 100 }.file(.png)
      let bitmap = try Self.halves(orientation: 1, type: .png)
      let mask = FilterMask(
        kind: "bitmap",
        parameters: [
          .init(name: "path", value: .file("m.jpg")), .init(name: "feather", value: .number(0)),
        ])
      let step = FilterStep(
        name: "exposure", version: 1, parameters: [.init(name: "ev", value: .number(1))],
        mask: mask)
      let plan = RenderPlan(
        filters: [step], renditions: [Rendition(name: "r", type: .png)], resources: ["m.jpg"])
      let output = try TemporaryFile([])
      try withExtendedLifetime((file, bitmap)) {
        _ = try file.opened().get().render(
          plan, outputs: [output.descriptor], resources: [bitmap.descriptor]
        ).get()
      }
      let result = try output.decoded()
      // Encoded 100 is light 0.1274; twice as much is encoded 138 (IEC 61966-2-1).
      #expect(result.samples[(10 * 64 + 8) * 3] == 100)
      #expect(result.samples[(10 * 64 + 56) * 3] == 138)
    }

    @Test("a mask that is no picture is refused with its name")
    func refused() throws {
      let file = try TemporaryFile(Array("no picture".utf8))
      let failure = #expect(throws: RenderFailure.self) {
        try withExtendedLifetime(file) {
          try BitmapFile(name: "a\u{1b}b.png", descriptor: file.descriptor).read(RenderLimits())
        }
      }
      #expect(failure?.code == .invalidAdjustment)
      #expect(failure?.detail.hasPrefix("the mask's picture a") == true)
      #expect(failure?.detail.contains("\u{1b}") == false)
    }
  }
}
