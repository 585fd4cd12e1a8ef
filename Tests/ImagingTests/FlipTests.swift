import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Flip")
  struct Flip {
    @Test("a flip mirrors what is seen", arguments: 1...8)
    func flips(orientation: Int) throws {
      let shown = Geometry.displayed(orientation)
      let across = try Geometry.render(orientation, [.flip("horizontal")])
      #expect(Geometry.rows(across) == shown.map { Array($0.reversed()) })
      let down = try Geometry.render(orientation, [.flip("vertical")])
      #expect(Geometry.rows(down) == shown.reversed())
    }

    @Test("a flip counts for the crops after it and not for those before", arguments: 1...8)
    func order(orientation: Int) throws {
      let shown = Geometry.displayed(orientation)
      let after = try Geometry.render(
        orientation, [.flip("horizontal"), .crop(1, 2, 4, 5, unit: "pixel")])
      #expect(Geometry.rows(after) == shown[2..<7].map { Array($0.reversed()[1..<5]) })
      let before = try Geometry.render(
        orientation, [.crop(1, 2, 4, 5, unit: "pixel"), .flip("horizontal")])
      #expect(Geometry.rows(before) == shown[2..<7].map { Array($0[1..<5].reversed()) })
    }

    @Test("two flips are half a turn, and the same twice is nothing")
    func twice() throws {
      let both = try Geometry.render(5, [.flip("horizontal"), .flip("vertical")])
      #expect(both.samples == (try Geometry.render(5, [.orient(3)])).samples)
      let same = try Geometry.render(5, [.flip("vertical"), .flip("vertical")])
      #expect(same.samples == (try Geometry.render(5, [])).samples)
    }

    @Test("a direction that is none is refused")
    func direction() throws {
      let failure = #expect(throws: RenderFailure.self) {
        try Geometry.render(1, [.flip("sideways")])
      }
      #expect(failure?.code == .invalidAdjustment)
    }
  }
}
