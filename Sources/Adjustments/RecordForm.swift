import RenderModel

/// How a format version writes its list of filters; the decoder is the same for all.
struct RecordForm: Sendable {
  /// The member that holds the list.
  var list: String
  /// The member of a filter that holds its name.
  var name: String
  var filters: [FilterDescription]
  /// Whether filters may have a version, an opacity and a mask.
  var hasBlending: Bool
  /// What the parameters of one filter must be together.
  var rule: @Sendable (FilterStep) -> FilterRules.Problem?

  static func current(_ filters: [FilterDescription]) -> RecordForm {
    RecordForm(
      list: "filters", name: "filter", filters: filters, hasBlending: true,
      rule: FilterRules.problem)
  }

  func description(of name: String) -> FilterDescription? {
    filters.first { $0.name == name }
  }
}
