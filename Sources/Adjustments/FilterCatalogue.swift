package import RenderModel

/// The filters of the native format.
package enum FilterCatalogue {
  package static let filters: [FilterDescription] =
    tone + local + colour + looks + tables + detail + geometry

  /// nil for a name that no filter has.
  package static func description(of name: String) -> FilterDescription? {
    byName[name]
  }

  /// nil when the step is not of the catalogue.
  package static func kind(of step: FilterStep) -> FilterKind? {
    byName[step.name]?.kind
  }

  private static let byName = Dictionary(
    filters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
