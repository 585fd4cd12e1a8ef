import Imaging
import JSONText
import RenderModel
import Testing

extension ImagingTests {
  /// Noise through the geometry filters against scikit-image and NumPy, to 1e-4 of a code.
  @Suite("Geometry reference")
  struct GeometryReferences {
    static let tolerance = 1e-4

    @Test("perspective is scikit-image's homography and the kernel of Catmull and Rom")
    func perspective() throws {
      let reference = try GeometryReference.load()
      for item in try #require(reference["perspective"]?.array) {
        let picture = try GeometryReference.picture(reference[item["picture"]?.string ?? ""])
        let step = FilterStep.perspective(try GeometryReference.pairs(item["corners"]))
        let render = try Render(picture.file(.png), [GeometryReference.deep], filters: [step])
        let worst = try GeometryReference.worst(render.decoded(), item["result"])
        #expect(worst <= Self.tolerance, "\(item["name"]?.string ?? "")")
      }
    }

    @Test("straighten is scikit-image's rotation, cut to the published rectangle")
    func straighten() throws {
      let reference = try GeometryReference.load()
      for item in try #require(reference["straighten"]?.array) {
        let picture = try GeometryReference.picture(reference[item["picture"]?.string ?? ""])
        let degrees = try #require(item["degrees"]?.number?.double)
        let render = try Render(
          picture.file(.png), [GeometryReference.deep], filters: [.straighten(degrees)])
        let worst = try GeometryReference.worst(render.decoded(), item["result"])
        #expect(worst <= Self.tolerance, "\(degrees)")
      }
    }

    @Test("overlay is Lanczos and Porter-Duff in linear light")
    func overlay() throws {
      let reference = try GeometryReference.load()
      let picture = try GeometryReference.picture(reference["wide"])
      let mark = try GeometryReference.picture(reference["mark"])
      #expect(mark.bands == 4)
      for item in try #require(reference["overlay"]?.array) {
        func number(_ name: String) throws -> Double {
          try #require(item[name]?.number?.double)
        }
        let step = try FilterStep.overlay(
          anchor: try #require(item["anchor"]?.string), x: number("x"), y: number("y"),
          scale: number("scale"), opacity: number("opacity"))
        let render = try ResourceRender(
          picture.file(.png), [GeometryReference.deep], filters: [step],
          resources: [("mark.png", mark.file(.png))])
        let worst = try GeometryReference.worst(render.decoded(), item["result"])
        #expect(worst <= Self.tolerance, "\(item["name"]?.string ?? "")")
      }
    }

    @Test("a smooth picture is seen where scikit-image's homography looks")
    func smooth() throws {
      let item = try #require(try GeometryReference.load()["smooth"])
      let drawing = Drawing.deepPicture(300, 200) { x, y, _ in
        let light = SmoothScene.light(Double(x) + 0.5, Double(y) + 0.5)
        return Int((65535 * StandardRGB.encode(light)).rounded())
      }
      let step = FilterStep.perspective(try GeometryReference.pairs(item["corners"]))
      let render = try Render(drawing.file(.png), [GeometryReference.deep], filters: [step])
      let picture = try render.decoded()
      #expect(try picture.size == GeometryReference.size(item))
      let places = try GeometryReference.pairs(item["places"])
      for (place, light) in zip(places, try GeometryReference.numbers(item["light"])) {
        let code = Double(picture.deep(Int(place[0]), Int(place[1]), 1)) / 65535
        #expect(abs(StandardRGB.decode(code) - light) <= 2e-4)
      }
      #expect(places.count > 50)
    }
  }
}
