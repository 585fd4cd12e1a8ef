import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Geometry together")
  struct GeometryCombinations {
    static let rendition = Rendition(name: "r", type: .png)

    static let lists: [[FilterStep]] = [
      [.flip("horizontal"), .straighten(4), .crop(0.1, 0.2, 0.7, 0.6)],
      [.crop(0.1, 0, 0.6, 0.9), .straighten(-8), .flip("vertical")],
      [.straighten(3), .flip("horizontal"), .straighten(5)],
      [.perspective([[0.1, 0], [0.9, 0.1], [1, 0.9], [0, 1]])],
      [
        .flip("vertical"), .perspective([[0.1, 0], [0.8, 0.1], [1.1, 0.9], [0, 1]]), .orient(6),
      ],
      [.pad(top: 0.3, right: 0.1, bottom: 0, left: 0.2, colour: [0.2, 0.5, 0.9])],
      [.orient(7), .pad(top: 0.3, aspect: 0.5), .crop(0.1, 0, 0.9, 0.8)],
      [.border(0.1, colour: [1, 0, 0]), .border(0.05, inside: true, colour: [0, 0, 1])],
      [
        .pad(aspect: 1.7, colour: [0, 0, 0]), .straighten(2),
        .perspective([[0, 0.05], [1, 0], [0.9, 1], [0.1, 0.95]]), .flip("horizontal"),
        .border(0.04), .orient(8),
      ],
    ]

    static func worst(_ lists: [FilterStep], _ orientation: Int) throws -> Int {
      var drawing = Drawing.scene(91, 60)
      drawing.orientation = orientation
      let upright = try Render(drawing.file(.tiff), [rendition]).decoded()
      let turned = try Render(drawing.file(.tiff), [rendition], filters: lists).decoded()
      return worstDifference(
        turned, try Render(upright.file(.tiff), [rendition], filters: lists).decoded())
    }

    @Test(
      "filters act on what is seen: turned first by other means, the same comes out",
      arguments: lists, 1...8)
    func underOrientation(filters: [FilterStep], orientation: Int) throws {
      #expect(try Self.worst(filters, orientation) <= 1)
    }

    @Test("one rendition and several give the same pixels", arguments: lists)
    func streamed(filters: [FilterStep]) throws {
      let file = try Drawing.scene(170, 130).file(.jpeg)
      let small = Rendition(name: "s", type: .png, targetSize: .init(width: 50, height: 50))
      for rendition in [Self.rendition, small] {
        let one = try Render(file, [rendition], filters: filters)
        let two = try Render(file, [Self.rendition, rendition], filters: filters, threads: 2)
        #expect(one.files[0].bytes == two.files[1].bytes)
      }
    }

    @Test("fast delivery gives the same sizes as high quality, and nearly the same picture")
    func fast() throws {
      let file = try Drawing.picture(1600, 1200) { x, y, band in
        [40 + x / 8, 40 + y / 6, 90][band]
      }.file(.jpeg)
      for filters in Self.lists {
        var rendition = Rendition(
          name: "r", type: .png, targetSize: .init(width: 150, height: 150))
        let high = try Render(file, [rendition], filters: filters).decoded()
        rendition.deliveryMode = .fast
        let render = try Render(file, [rendition], filters: filters)
        #expect(render.result.losses.contains("fullResolutionFiltering"))
        let fast = try render.decoded()
        #expect(fast.size == high.size)
        // Edges of a canvas may lie half a reduced pixel elsewhere.
        let far = zip(high.samples, fast.samples).filter { abs(Int($0) - Int($1)) > 6 }.count
        #expect(far * 20 < high.samples.count, "\(far) of \(high.samples.count)")
      }
    }

    @Test(
      "a cut-off file is found out, whatever part of it is seen",
      arguments: [UniformType.jpeg, .png],
      [
        [FilterStep.crop(0, 0, 1, 0.2), .pad(bottom: 1)], [.border(0.5, inside: true)],
        [.crop(0, 0, 1, 0.2), .border(0.2), .flip("vertical")],
        [.perspective([[0.1, 0], [0.5, 0], [0.5, 0.2], [0.1, 0.2]])],
        [.pad(bottom: 4), .crop(0, 0.5, 1, 0.5)], [.pad(top: 4), .crop(0, 0, 1, 0.5)],
      ])
    func damage(type: UniformType, filters: [FilterStep]) throws {
      let whole = try Damage.bytes(type)
      let result = try Damage.outcome(Array(whole.prefix(whole.count * 3 / 4)), filters: filters)
      guard case .failure(let failure) = result else {
        Issue.record("it rendered")
        return
      }
      #expect(failure.code == .truncated)
      #expect(throws: Never.self) { try Damage.outcome(whole, filters: filters).get() }
    }

    @Test("an opacity or a mask on a filter that moves pixels is refused")
    func blends() throws {
      let mask = FilterMask(kind: "radial", parameters: [])
      for list in Self.lists {
        var faint = list[0]
        faint.opacity = 0.5
        var masked = list[0]
        masked.mask = mask
        for step in [faint, masked] {
          let failure = #expect(throws: RenderFailure.self) {
            try Render.png(Drawing.scene(20, 20), filters: [step])
          }
          #expect(failure?.code == .invalidAdjustment)
        }
      }
    }

    @Test("memory is counted for what is held whole and for what grows")
    func memory() {
      let header = MemoryEstimateTests.header(4000, 3000)
      let full = [Rendition(name: "r", type: .png)]
      func bytes(_ filters: [FilterStep]) -> Int {
        MemoryEstimateTests.estimate(header, full, filters: filters)
      }
      let plain = bytes([])
      let corners = FilterStep.perspective([[0.1, 0], [0.9, 0], [1, 1], [0, 1]])
      #expect(bytes([corners]) >= plain + 4000 * 3000)
      #expect(bytes([.border(0.1, inside: true)]) == plain)
      #expect(bytes([.pad(top: 1)]) >= plain + 4000 * 3000 * 8)
      #expect(bytes([.pad(aspect: 4)]) >= plain + 8000 * 3000 * 8)
      #expect(bytes([.orient(6), .pad(aspect: 4)]) > bytes([.pad(aspect: 4)]))
      #expect(bytes([.overlay(scale: 0.5)]) >= plain + 2000 * 1500 * 16)
      let huge = [FilterStep](repeating: .pad(top: 10, left: 10, aspect: 100), count: 200)
      #expect(bytes(huge) == .max)
    }
  }
}
