import Adjustments
import FoundationEssentials
import RenderModel
import Testing

@Suite struct FilterCatalogueTests {
  @Test("names are unique and every description is complete")
  func complete() {
    let names = FilterCatalogue.filters.map(\.name)
    #expect(Set(names).count == names.count)
    for filter in FilterCatalogue.filters {
      #expect(filter.version >= 1)
      #expect(!filter.summary.isEmpty && !filter.formula.isEmpty && !filter.source.isEmpty)
      #expect(!filter.identity.isEmpty)
      #expect(FilterCatalogue.description(of: filter.name) == filter)
      let parameters = filter.parameters.map(\.name)
      #expect(Set(parameters).count == parameters.count)
      // Members that every filter may have.
      #expect(parameters.allSatisfy { !["filter", "version", "opacity", "mask"].contains($0) })
      for parameter in filter.parameters {
        if case .number(let range, let value?) = parameter.domain { #expect(range.contains(value)) }
        if case .choice(let names, let name) = parameter.domain { #expect(names.contains(name)) }
      }
    }
  }

  @Test("every step knows its kind, and a foreign one has none")
  func kinds() {
    func kind(_ name: String) -> FilterKind? {
      FilterCatalogue.kind(of: FilterStep(name: name, version: 1, parameters: []))
    }
    #expect(kind("crop") == .geometry)
    #expect(kind("toneCurve") == .point)
    #expect(kind("sharpen") == .neighbourhood)
    #expect(kind("nothing") == nil)
  }

  @Test("docs/filters.md says what the catalogue says")
  func documentation() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(root)/docs/filters.md"))
    let page = String(decoding: data, as: UTF8.self)
    #expect(page.contains(FilterReference.markdown))
  }
}
