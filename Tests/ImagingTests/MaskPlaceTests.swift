import Adjustments
import Imaging
import JSONText
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Every mask over crop and scale")
  struct MaskPlaces {
    /// Slow changes of every colour, so that a picture made smaller has the same ones.
    static let picture = Drawing.picture(480, 320) { x, y, band in
      [40 + x * 180 / 480, 30 + y * 200 / 320, 230 - (x + y) * 200 / 800][band]
    }

    /// Two stops darker where the example of a mask says.
    private static func masked(_ mask: MaskDescription) throws -> [FilterStep] {
      let example = try #require(FilterExamples.record(of: CatalogueEntry(mask)))
      let text = #"{"filters": [{"filter": "exposure", "ev": -2, "mask": \#(example)}]}"#
      let decoded = AdjustmentDecoding.decode(
        identifier: AdjustmentRecord.nativeIdentifier, version: "1.0",
        data: try JSONParser.parse(Array(text.utf8)).value)
      guard case .filters(let steps) = decoded else {
        Issue.record("\(example): \(decoded)")
        return []
      }
      return steps
    }

    private static func render(
      _ file: TemporaryFile, _ rendition: Rendition, _ steps: [FilterStep]
    ) throws -> PixelBuffer {
      try ResourceRender(
        file, [rendition], filters: steps,
        resources: steps.flatMap(\.files).map { ($0, try FilterDigests.file($0)) }
      ).decoded()
    }

    @Test("a crop before the filter or after it is the same", arguments: MaskCatalogue.masks)
    func cropped(mask: MaskDescription) throws {
      let steps = try Self.masked(mask)
      let crop = FilterStep.crop(0.3, 0.15, 0.5, 0.6)
      let rendition = Rendition(name: "r", type: .png)
      let file = try Self.picture.file(.png)
      let before = try Self.render(file, rendition, [crop] + steps)
      let after = try Self.render(file, rendition, steps + [crop])
      #expect(worstDifference(before, after) <= 1)
      let plain = try Self.render(file, rendition, [crop])
      #expect(worstDifference(before, plain) > 20, "the mask is nowhere in the crop")
    }

    @Test(
      "a picture that is made smaller first is masked where the large one is",
      arguments: MaskCatalogue.masks)
    func scaled(mask: MaskDescription) throws {
      let steps = try Self.masked(mask)
      let file = try Self.picture.file(.jpeg, quality: 98)
      var rendition = Rendition(
        name: "r", type: .png, targetSize: Rendition.TargetSize(width: 120, height: 80))
      let best = try Self.render(file, rendition, steps)
      rendition.deliveryMode = .fast
      let fast = try Self.render(file, rendition, steps)
      #expect(best.size == fast.size && best.size == PixelSize(width: 120, height: 80))
      let far = zip(best.samples, fast.samples).filter { abs(Int($0) - Int($1)) > 4 }.count
      // The edge of a sharp mask lies on other pixels.
      #expect(far * 100 <= best.samples.count, "\(far) of \(best.samples.count)")
      let plain = try Self.render(file, rendition, [])
      #expect(worstDifference(fast, plain) > 20)
    }
  }
}
