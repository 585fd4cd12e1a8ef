import JSONText
import RenderModel
import Testing

@testable import Adjustments

@Suite("Filter examples")
struct FilterExampleTests {
  @Test("every filter and mask has an example that can be decoded and does something")
  func examples() throws {
    for entry in CatalogueEntry.all {
      let example = try #require(FilterExamples.record(of: entry), "\(entry.name) has none")
      let filter =
        entry.kind == "mask"
        ? #"{"filter": "exposure", "ev": 1, "mask": \#(example)}"# : example
      let data = try JSONParser.parse(Array(#"{"filters": [\#(filter)]}"#.utf8)).value
      let result = AdjustmentDecoding.decode(
        identifier: AdjustmentRecord.nativeIdentifier, version: "1.0", data: data)
      guard case .filters(let steps) = result else {
        Issue.record("\(entry.name): \(result)")
        continue
      }
      #expect(steps.count == 1)
    }
  }

  @Test("the groups hold every filter and mask once")
  func groups() {
    let names = CatalogueEntry.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(
      Set(names) == Set(FilterCatalogue.filters.map(\.name) + MaskCatalogue.masks.map(\.name)))
  }
}
