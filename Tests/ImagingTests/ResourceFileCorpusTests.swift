import ColourEngine
import Glibc
import Imaging
import RenderModel
import Testing

/// Real LUT files, where they lie beside the checkout.
let realTables = SharedFolder("fixtures/adjustments", holding: "cube", of: "real LUT files")

extension ImagingTests {
  @Suite(
    "Real LUT files",
    .enabled(if: realTables.path != nil, "the LUT files are not beside the checkout"))
  struct RealLuts {
    static let scene = Drawing.scene(61, 37)

    static func render(_ name: String, _ scene: PixelBuffer = scene) throws -> PixelBuffer {
      try LutRender.png(scene, [(name, realTables.file(name))])
    }

    @Test(
      "tables have the sizes that their files state",
      arguments: [
        ("iridas_ACES_Proxy_10_to_ACES", 32, 0), ("iridas_Colour_Correct", 0, 4),
        ("iridas_Demo", 3, 0), ("iridas_Three_Dimensional_Table", 0, 2), ("iridas_Unit", 0, 4),
        ("iridas_eotf_sRGB_3D", 0, 8), ("ocio_iridas_3d", 0, 2), ("ocio_resolve_1d3d", 6, 3),
        ("resolve_Demo", 3, 0),
      ])
    func sizes(name: String, curves: Int, cube: Int) throws {
      let file = try realTables.file("cube/\(name).cube")
      let table = try ColourTable(cubeText: file.bytes)
      #expect(table.sizes == (curves, cube))
      #expect(try Self.render("cube/\(name).cube").size == Self.scene.size)
    }

    @Test(
      "tables that give every colour back change none",
      arguments: ["cube/iridas_Unit.cube", "cube/resolve_Demo.cube", "haldclut/Identity_12.png"])
    func identity(name: String) throws {
      let found = try Self.render(name)
      #expect(ImagingTests.ResourceFiles.close(found, Self.scene, 1))
    }

    @Test("a black and white look gives greys", arguments: ["haldclut/TMax_400_gray.png"])
    func grey(name: String) throws {
      let found = try Self.render(name)
      for x in 0..<61 {
        let pixel = found.pixel(x, 20)
        #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2])
      }
    }

    @Test("a look's corners are the pixels of its file")
    func corners() throws {
      let hald = try realTables.file("haldclut/CrispWarm.png").decoded()
      let points = hald.size.pixels
      let size = 144
      let scene = Drawing.picture(8, 1) { x, _, band in x >> band & 1 == 1 ? 255 : 0 }
      let found = try Self.render("haldclut/CrispWarm.png", scene)
      for corner in 0..<8 {
        let (r, g, b) = (corner & 1, corner >> 1 & 1, corner >> 2 & 1)
        let index = (size - 1) * (r + g * size + b * size * size)
        try #require(index < points)
        let wanted = hald.pixel(index % hald.size.width, index / hald.size.width)
        #expect(zip(found.pixel(corner, 0), wanted).allSatisfy { abs($0 - $1) <= 1 })
      }
    }
  }
}
