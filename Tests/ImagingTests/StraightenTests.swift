import Glibc
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Straighten")
  struct Straighten {
    /// Twice the signed distance in pixels is a soft edge between dark and light.
    static func edge(_ side: Int, degrees: Double) -> PixelBuffer {
      let angle = degrees * .pi / 180
      return Drawing.picture(side, side) { x, y, _ in
        let (u, v) = (Double(x) + 0.5 - Double(side) / 2, Double(y) + 0.5 - Double(side) / 2)
        let below = cos(angle) * v - sin(angle) * u
        return Int(StandardRGB.code(0.5 + max(-0.4, min(0.4, below / 20))).rounded())
      }
    }

    @Test(
      "a horizon that falls by an angle lies level after it", arguments: [-12.0, -3, 1.5, 7, 30])
    func horizon(degrees: Double) throws {
      // The horizon is turned clockwise by the angle, so the picture is turned back by it.
      let picture = try Render.png(
        Self.edge(160, degrees: degrees), filters: [.straighten(-degrees)])
      let middle = picture.size.width / 2
      for y in 2..<(picture.size.height - 2) {
        let row = (2..<(picture.size.width - 2)).map { picture[$0, y, 0] }
        let spread = (row.max() ?? 0) - (row.min() ?? 0)
        #expect(spread <= 4, "row \(y)")
      }
      // And the light is where the formula has it.
      for y in 2..<(picture.size.height - 2) {
        let below = Double(y) + 0.5 - Double(picture.size.height) / 2
        let expected = StandardRGB.code(0.5 + max(-0.4, min(0.4, below / 20)))
        if abs(abs(below) - 8) > 2 { #expect(abs(Double(picture[middle, y, 0]) - expected) <= 3) }
      }
    }

    @Test(
      "the rectangle inside has the picture's aspect and the published size",
      arguments: [(600, 400, 5.0), (400, 600, -5.0), (300, 300, 45), (1000, 100, 2)])
    func inside(width: Int, height: Int, degrees: Double) throws {
      let picture = try Render.png(
        Drawing.scene(width, height), filters: [.straighten(degrees)])
      let angle = abs(degrees) * .pi / 180
      let aspect = Double(height) / Double(width)
      let fits = min(
        Double(width) / (cos(angle) + aspect * sin(angle)),
        Double(height) / (sin(angle) + aspect * cos(angle)))
      #expect(abs(Double(picture.size.width) - fits) <= 1)
      #expect(abs(Double(picture.size.height) - fits * aspect) <= 1)
    }

    @Test("nothing from outside the picture is seen", arguments: [0.3, -4, 17, 44.9])
    func noBorder(degrees: Double) throws {
      let white = Drawing.picture(120, 90) { _, _, _ in 255 }
      let picture = try Render.png(white, filters: [.straighten(degrees)])
      #expect(picture.samples.allSatisfy { $0 >= 254 })
    }

    @Test("a mirrored picture turns the same way for the eye", arguments: 1...8)
    func underOrientation(orientation: Int) throws {
      var drawing = Drawing.scene(90, 60)
      let rendition = Rendition(name: "r", type: .png)
      drawing.orientation = orientation
      let stored = try Render(
        drawing.file(.tiff), [rendition], filters: [.straighten(6)]
      ).decoded()
      let upright = try Render(drawing.file(.tiff), [rendition]).decoded()
      let plain = try Render(
        upright.file(.tiff), [rendition], filters: [.straighten(6)]
      ).decoded()
      #expect(stored.size == plain.size)
      let worst = zip(stored.samples, plain.samples).map { abs(Int($0) - Int($1)) }.max() ?? 255
      #expect(worst <= 1)
    }

    @Test("no angle changes nothing")
    func zero() throws {
      let scene = Drawing.scene(50, 40)
      #expect(try Render.png(scene, filters: [.straighten(0)]).samples == scene.samples)
    }
  }
}
