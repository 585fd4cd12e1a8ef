import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Opacity and masks of filters that look around")
  struct BlendedFilter {
    private let picture = Drawing.picture(64, 48) { x, y, band in
      (x / 8 + y / 8) % 2 == 0 ? 30 + 20 * band : 220
    }

    @Test("opacity 0 is the original, and opacity 1 the filter alone")
    func ends() throws {
      #expect(
        try Render.png(picture, filters: [.blur(2, opacity: 0)]).samples == picture.samples)
      #expect(
        try Render.png(picture, filters: [.blur(2, opacity: 1)]).samples
          == Render.png(picture, filters: [.blur(2)]).samples)
    }

    @Test("half the opacity is half of each light", arguments: [2.0, 20])
    func half(radius: Double) throws {
      let blurred = try Render.png(picture, filters: [.blur(radius)])
      let mixed = try Render.png(picture, filters: [.blur(radius, opacity: 0.5)])
      for (index, code) in mixed.samples.enumerated() {
        let wanted = StandardRGB.code(
          (StandardRGB.decode(Double(picture.samples[index]) / 255)
            + StandardRGB.decode(Double(blurred.samples[index]) / 255)) / 2)
        #expect(abs(Double(code) - wanted) <= 2)
      }
    }

    @Test("a gradient leaves one side and filters the other, wherever strips and bands are cut")
    func gradient() throws {
      let wide = Drawing.picture(1300, 40) { x, _, _ in x % 2 == 0 ? 0 : 255 }
      let mask = FilterMask(
        kind: "linearGradient",
        parameters: [
          .init(name: "from", value: .numbers([0.25, 0.5])),
          .init(name: "to", value: .numbers([0.75, 0.5])),
        ])
      func render(_ mask: FilterMask) throws -> PixelBuffer {
        try Render.png(wide, filters: [.blur(3, mask: mask)])
      }
      let straight = try render(mask)
      var inverted = mask
      inverted.isInverted = true
      let other = try render(inverted)
      let sides = [straight, other].map { abs($0[100, 20, 0] - $0[101, 20, 0]) }
      let farSides = [straight, other].map { abs($0[1200, 20, 0] - $0[1201, 20, 0]) }
      // One of them is untouched at the left and blurred at the right, the other the reverse.
      #expect(sides.contains(255) && sides.contains { $0 <= 1 })
      #expect(farSides.contains(255) && farSides.contains { $0 <= 1 })
      #expect(sides != farSides)
      for y in [0, 15, 16, 17, 39] { #expect(straight.pixel(650, y) == straight.pixel(650, 20)) }
    }

    @Test("a mask that cannot be made is an invalid adjustment")
    func unknown() throws {
      let failure = #expect(throws: RenderFailure.self) {
        try Render.png(
          picture, filters: [.blur(2, mask: FilterMask(kind: "nothing", parameters: []))])
      }
      #expect(failure?.code == .invalidAdjustment)
    }
  }
}
