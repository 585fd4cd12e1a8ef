import RenderModel
import Testing

@testable import Imaging

extension ImagingTests {
  @Suite("Files of a largest size")
  struct MaximumBytesTests {
    static func rendition(
      _ type: UniformType, _ limit: Int, quality: Int = 90, lowest: Int? = nil
    ) -> Rendition {
      var options = OutputOptions([.maxBytes: .number(limit)])
      options[.minimumQuality] = lowest.map(OutputValue.number)
      return Rendition(name: "r", type: type, quality: quality, options: options)
    }

    static func size(_ type: UniformType, quality: Int) throws -> Int {
      let rendition = Rendition(name: "r", type: type, quality: quality)
      return try Render(Drawing.scene(200, 150).file(.png), [rendition]).result.outputs[0].bytes
    }

    @Test(
      "quality is lowered until the file is small enough, and no further",
      arguments: [UniformType.jpeg, .webP, .avif, .heic, .jpegXL])
    func lowered(type: UniformType) throws {
      let limit = try Self.size(type, quality: 70)
      let render = try Render(
        Drawing.scene(200, 150).file(.png), [Self.rendition(type, limit)])
      let output = render.result.outputs[0]
      let quality = try #require(output.quality)
      #expect(output.bytes <= limit)
      #expect(render.files[0].bytes.count == output.bytes)
      #expect(quality >= 70 && quality < 90)
      #expect(render.result.losses == ["quality"])
      // One step more would be too large: the file is the one that this quality gives by itself.
      #expect(try Self.size(type, quality: quality) == output.bytes)
      #expect(try Self.size(type, quality: quality + 1) > limit)
    }

    @Test("what metadata take counts to the byte", arguments: [UniformType.jpeg, .heic])
    func metadata(type: UniformType) throws {
      func output(_ quality: Int, _ limit: Int?) throws -> RenderResult.Output {
        var options = OutputOptions()
        options[.maxBytes] = limit.map(OutputValue.number)
        let rendition = Rendition(name: "r", type: type, quality: quality, options: options)
        return try Render(LadenPhoto.jpeg(), [rendition]).result.outputs[0]
      }
      // The file of a quality that is larger than that of the one before, so that no other fits as well.
      let quality = try #require(
        try (60...70).first { try output($0, nil).bytes < output($0 + 1, nil).bytes })
      let fitting = try output(quality, nil).bytes
      let found = try output(90, fitting)
      #expect(found.quality == quality && found.bytes == fitting)
    }

    @Test("a file that is small enough keeps its quality")
    func untouched() throws {
      let render = try Render(
        Drawing.scene(200, 150).file(.png), [Self.rendition(.jpeg, 1_000_000)])
      #expect(render.result.outputs[0].quality == 90)
      #expect(render.result.losses.isEmpty)
      #expect(try Self.size(.jpeg, quality: 90) == render.result.outputs[0].bytes)
    }

    @Test("what is too large at the lowest quality fails, and says what would help")
    func impossible() throws {
      let file = try Drawing.scene(200, 150).file(.png)
      let failure = #expect(throws: RenderFailure.self) {
        try Render(file, [Self.rendition(.jpeg, 1000, lowest: 40)])
      }
      #expect(failure?.code == .outputTooLarge)
      #expect(failure?.detail.contains("maxBytes") == true)
      #expect(failure?.detail.contains("lowest quality, 40") == true)
      // Without a floor of its own the search goes down to the standard one.
      let other = #expect(throws: RenderFailure.self) {
        try Render(file, [Self.rendition(.jpeg, 1000)])
      }
      #expect(other?.detail.contains("lowest quality, 30") == true)
    }

    @Test("the floor holds")
    func floor() throws {
      let limit = try Self.size(.jpeg, quality: 60)
      let file = try Drawing.scene(200, 150).file(.png)
      #expect(
        try Render(file, [Self.rendition(.jpeg, limit, lowest: 55)]).result.outputs[0].quality ?? 0
          >= 55)
      #expect(throws: RenderFailure.self) {
        try Render(file, [Self.rendition(.jpeg, limit, lowest: 80)])
      }
    }

    @Test("one decode serves all tries, also where the picture would stream")
    func oneDecode() throws {
      let limit = try Self.size(.jpeg, quality: 50)
      let render = try Render(Drawing.scene(200, 150).file(.png), [Self.rendition(.jpeg, limit)])
      #expect(render.decodes == 1)
    }

    @Test("the search finds the best of every monotone row of sizes within eight tries")
    func search() {
      for lowest in [1, 30, 90] {
        for highest in [lowest, 90, 100] where highest >= lowest {
          for fitting in (lowest - 1)...highest {
            var search = QualitySearch(qualities: lowest...highest, limit: fitting * 10)
            var tries = 0
            while let quality = search.next {
              search.tried(quality, bytes: quality * 10)
              tries += 1
            }
            #expect(search.best == (fitting < lowest ? nil : fitting))
            #expect(tries <= 8)
          }
        }
      }
    }
  }
}
