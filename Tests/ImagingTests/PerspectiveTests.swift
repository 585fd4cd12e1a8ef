import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Perspective")
  struct Perspective {
    @Test("a rectangle along whole pixels is a crop")
    func rectangle() throws {
      let scene = Drawing.scene(50, 40)
      let corners = [[0.2, 0.25], [0.8, 0.25], [0.8, 0.75], [0.2, 0.75]]
      let seen = try Render.png(scene, filters: [.perspective(corners)])
      let cut = try Render.png(scene, filters: [.crop(10, 10, 30, 20, unit: "pixel")])
      #expect(seen.size == PixelSize(width: 30, height: 20))
      #expect(worstDifference(seen, cut) <= 1)
    }

    @Test("the picture's own corners change no byte")
    func identity() throws {
      let scene = Drawing.scene(50, 40)
      let seen = try Render.png(
        scene, filters: [.perspective([[0, 0], [1, 0], [1, 1], [0, 1]])])
      #expect(seen.samples == scene.samples)
    }

    @Test("the result's sides are the means of the quadrilateral's, rounded")
    func size() throws {
      // Across 60 and 120 pixels; down 80 and the root of 60² + 80², which is 100.
      let picture = try Render.png(
        Drawing.scene(120, 80), filters: [.perspective([[0, 0], [0.5, 0], [1, 1], [0, 1]])])
      #expect(picture.size == PixelSize(width: 90, height: 90))
    }

    @Test("the four points become the corners", arguments: 1...8)
    func corners(orientation: Int) throws {
      // A card of four colours on black, seen aslant; its corners lie on the points.
      let points = [[0.2, 0.1], [0.9, 0.2], [0.8, 0.9], [0.1, 0.7]]
      let colours = [[250, 20, 20], [20, 250, 20], [20, 20, 250], [250, 250, 20]]
      let card = Drawing.picture(200, 160) { x, y, band in
        let distances = points.map { point in
          let (dx, dy) = (Double(x) - point[0] * 200, Double(y) - point[1] * 160)
          return dx * dx + dy * dy
        }
        let near = distances.firstIndex(of: distances.min() ?? 0) ?? 0
        return colours[near][band]
      }
      var turned = card
      turned.orientation = orientation
      let shown = try Render(turned.file(.tiff), [Rendition(name: "r", type: .png)]).decoded()
      // Where the points are in what is seen, sorted by where a viewer expects them.
      let seen = points.map { point in
        Self.shown(orientation, point)
      }
      let start = Self.topLeft(orientation)
      let mirrored = [2, 4, 5, 7].contains(orientation)
      let order = (0..<4).map { (start + (mirrored ? 4 - $0 : $0)) % 4 }
      let filter = FilterStep.perspective(order.map { seen[$0] })
      let picture = try Render(
        turned.file(.tiff), [Rendition(name: "r", type: .png)], filters: [filter]
      ).decoded()
      #expect(shown.size == (orientation >= 5 ? PixelSize(width: 160, height: 200) : card.size))
      let (right, bottom) = (picture.size.width - 3, picture.size.height - 3)
      for (place, index) in zip([(2, 2), (right, 2), (right, bottom), (2, bottom)], order) {
        let pixel = picture.pixel(place.0, place.1)
        #expect(zip(pixel, colours[index]).allSatisfy { abs($0 - $1) <= 2 })
      }
    }

    /// Where EXIF shows a point that is given by fractions of the stored picture.
    static func shown(_ orientation: Int, _ point: [Double]) -> [Double] {
      let (x, y) = (point[0], point[1])
      return switch orientation {
      case 2: [1 - x, y]
      case 3: [1 - x, 1 - y]
      case 4: [x, 1 - y]
      case 5: [y, x]
      case 6: [1 - y, x]
      case 7: [1 - y, 1 - x]
      case 8: [y, 1 - x]
      default: [x, y]
      }
    }

    /// Which stored corner, clockwise from the top left, is shown at the top left.
    static func topLeft(_ orientation: Int) -> Int {
      [1: 0, 2: 1, 3: 2, 4: 3, 5: 0, 6: 3, 7: 2, 8: 1][orientation] ?? 0
    }

    @Test("what gets much smaller has no aliases")
    func antialiased() throws {
      // Columns of black and white of one pixel each; the top is seen many times smaller.
      let board = Drawing.picture(240, 160) { x, _, _ in x % 2 == 0 ? 255 : 0 }
      let picture = try Render.png(
        board, filters: [.perspective([[0, 0], [1, 0], [0.55, 1], [0.45, 1]])])
      let even = StandardRGB.code(0.5)
      for y in 2..<6 {
        for x in 10..<(picture.size.width - 10) {
          #expect(abs(Double(picture[x, y, 0]) - even) <= 16)
        }
      }
    }

    @Test("an even colour stays itself, also beyond the edge")
    func plane() throws {
      let plane = Drawing.picture(64, 48) { _, _, band in [200, 90, 13][band] }
      let picture = try Render.png(
        plane, filters: [.perspective([[-0.2, -0.1], [1, 0.1], [1.25, 1.2], [0.3, 0.9]])])
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width { #expect(picture.pixel(x, y) == [200, 90, 13]) }
      }
    }

    @Test("transparency goes along without a dark rim")
    func alpha() throws {
      let disc = Drawing.picture(120, 120, bands: 4) { x, y, _ in
        (x - 60) * (x - 60) + (y - 60) * (y - 60) < 1600 ? 255 : 0
      }
      let picture = try Render.png(
        disc, filters: [.perspective([[0.1, 0], [0.8, 0.1], [1, 1], [0, 0.9]])])
      #expect(picture.bands == 4)
      var rim = 0
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width where picture[x, y, 3] > 8 {
          if picture[x, y, 3] < 250 { rim += 1 }
          #expect(picture[x, y, 0] >= 250)
        }
      }
      #expect(rim > 50)
    }

    @Test(
      "points that make no rectangle are an invalid adjustment",
      arguments: [
        [[0, 0], [1, 0], [0.3, 0.3], [0, 1]], [[0, 0], [0, 1], [1, 1], [1, 0]],
        [[0, 0], [1, 1], [1, 0], [0, 1]], [[0, 0], [1, 0], [1, 0.00005], [0, 0.00005]],
        [[0, 0], [0.5, 0.5], [1, 1], [0, 1]], [[0, 0], [1, 0], [1, .nan], [0, 1]],
        [[0.499, 0], [0.501, 0], [1, 1], [0, 1]], [[0, 0], [1, 0], [1, 1]],
      ])
    func invalid(corners: [[Double]]) throws {
      let failure = #expect(throws: RenderFailure.self) {
        try Render.png(Drawing.scene(20, 20), filters: [.perspective(corners)])
      }
      #expect(failure?.code == .invalidAdjustment)
    }
  }
}
