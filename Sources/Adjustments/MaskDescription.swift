/// All that is known of a kind of mask: feeds the decoder and the documentation.
package struct MaskDescription: Hashable, Sendable {
  package var name: String
  /// One sentence.
  package var summary: String
  package var parameters: [ParameterDescription]
  /// Whether it is made of other masks.
  package var hasParts: Bool
  package var formula: String
  /// Where the formula was published.
  package var source: String

  package init(
    _ name: String, summary: String, parameters: [ParameterDescription], hasParts: Bool = false,
    formula: String, source: String
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.hasParts = hasParts
    self.formula = formula
    self.source = source
  }
}
