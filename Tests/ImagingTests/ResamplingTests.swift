import ColourEngine
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Resampling")
  struct Resampling {
    @Test("a checkerboard of black and white halves to half the light, not to half the code")
    func checkerboard() throws {
      let board = Drawing.picture(64, 64) { x, y, _ in (x + y) % 2 == 0 ? 255 : 0 }
      let half = try Render.png(board, target: .init(width: 32, height: 32))
      #expect(half.size == PixelSize(width: 32, height: 32))
      let expected = StandardRGB.code(0.5)
      for x in 4..<28 {
        for band in 0..<3 { #expect(abs(Double(half[x, 16, band]) - expected) <= 1) }
      }
    }

    @Test("a plane colour stays itself at every size", arguments: [1, 7, 20, 33, 63, 64])
    func plane(side: Int) throws {
      let plane = Drawing.picture(64, 64) { _, _, band in [200, 90, 13][band] }
      let small = try Render.png(plane, target: .init(width: side, height: side))
      for x in 0..<side { #expect(small.pixel(x, side / 2) == [200, 90, 13]) }
    }

    @Test("a white disc on transparent black has no dark rim")
    func discRim() throws {
      let disc = Drawing.picture(512, 512, bands: 4) { x, y, _ in
        let (dx, dy) = (Double(x) - 255.5, Double(y) - 255.5)
        return dx * dx + dy * dy < 200 * 200 ? 255 : 0
      }
      let small = try Render.png(disc, target: .init(width: 128, height: 128))
      #expect(small.bands == 4)
      var rim = 0
      for y in 0..<128 {
        for x in 0..<128 where small[x, y, 3] > 8 {
          if small[x, y, 3] < 250 { rim += 1 }
          #expect(small.pixel(x, y).prefix(3).allSatisfy { $0 >= 250 })
        }
      }
      #expect(rim > 100)
    }

    @Test("a ramp keeps its place: no shift to a side", arguments: [100, 77, 50, 31, 13])
    func ramp(width: Int) throws {
      // Even steps of light, so that a linear reduction of it is known everywhere.
      let ramp = Drawing.deepPicture(400, 8) { x, _, _ in
        Int((65535 * StandardRGB.encode((Double(x) + 0.5) / 400)).rounded())
      }
      let rendition = Rendition(
        name: "r", type: .png, targetSize: .init(width: width, height: 8), contentMode: .exact,
        bitDepth: 16)
      let small = try Render(ramp.file(.png), [rendition]).decoded()
      #expect(small.sample == .uint16)
      for x in 2..<(width - 2) {
        let expected = StandardRGB.encode((Double(x) + 0.5) / Double(width))
        let got = Double(small.deep(x, 4, 0)) / 65535
        #expect(abs(StandardRGB.decode(got) - StandardRGB.decode(expected)) < 0.05 / Double(width))
      }
    }

    @Test("an enormous reduction goes by areas first and keeps its place")
    func enormous() throws {
      let ramp = Drawing.picture(1200, 3000, bands: 1) { x, y, _ in
        let light = (Double(x) + 0.5) / 1200 * 0.5 + (Double(y) + 0.5) / 3000 * 0.5
        return Int(StandardRGB.code(light).rounded())
      }
      let small = try Render.png(ramp, target: .init(width: 0, height: 20))
      #expect(small.size == PixelSize(width: 8, height: 20))
      for y in 2..<18 {
        for x in 2..<6 {
          let light = (Double(x) + 0.5) / 8 * 0.5 + (Double(y) + 0.5) / 20 * 0.5
          #expect(abs(Double(small[x, y, 0]) - StandardRGB.code(light)) <= 1)
        }
      }
    }

    @Test("threads change no byte", arguments: [2, 4])
    func threads(count: Int) throws {
      let file = try Drawing.scene(700, 500).file(.jpeg)
      let rendition = Rendition(name: "r", targetSize: .init(width: 300, height: 300))
      let filters: [FilterStep] = [.crop(0.1, 0.1, 0.8, 0.6), .sharpen(amount: 1, radius: 1)]
      let one = try Render(file, [rendition], filters: filters)
      let more = try Render(file, [rendition], filters: filters, threads: count)
      #expect(one.files[0].bytes == more.files[0].bytes)
    }

    @Test("enlarging happens only when it is asked for")
    func enlarging() throws {
      let scene = try Drawing.scene(40, 30).file(.png)
      let plain = Rendition(
        name: "plain", type: .png, targetSize: .init(width: 80, height: 80))
      let large = Rendition(
        name: "large", type: .png, targetSize: .init(width: 80, height: 80), enlarge: true)
      let render = try Render(scene, [plain, large])
      #expect(render.result.outputs.map(\.width) == [40, 80])
      #expect(render.result.outputs.map(\.height) == [30, 60])
    }
  }
}
