import Adjustments
import JSONText

/// The filter catalogue for a program: JSON with its members in a fixed order.
enum CatalogueJSON {
  /// `isList`: an array, else the one entry.
  static func text(_ entries: [CatalogueEntry], isList: Bool) -> String {
    let all = entries.map(entry)
    return (isList ? JSONEscaping.array(all) : all.joined()) + "\n"
  }

  private static func entry(_ entry: CatalogueEntry) -> String {
    JSONEscaping.object(
      [
        ("name", literal(entry.name)), ("kind", literal(entry.kind)),
        ("version", entry.version.map { "\($0)" } ?? "null"),
        ("versions", JSONEscaping.array(entry.versions.map { "\($0)" })),
        ("summary", literal(entry.summary)),
        ("parameters", JSONEscaping.array(entry.parameters.map(parameter))),
        (
          "older",
          JSONEscaping.array(
            entry.older.map { older in
              JSONEscaping.object([
                ("version", "\(older.number)"), ("difference", literal("It " + older.difference)),
              ])
            })
        ), ("identity", entry.identity.isEmpty ? "null" : literal(entry.identity)),
        ("formula", literal(entry.formula)), ("source", literal(entry.source)),
        ("example", FilterExamples.record(of: entry) ?? "null"),
      ])
  }

  private static func parameter(_ parameter: CatalogueEntry.Parameter) -> String {
    JSONEscaping.object(
      [
        ("name", literal(parameter.name)), ("type", literal(parameter.type)),
        ("unit", parameter.unit.isEmpty ? "null" : literal(parameter.unit.filter { $0 != "`" })),
        ("minimum", parameter.range.map { "\($0.lowerBound)" } ?? "null"),
        ("maximum", parameter.range.map { "\($0.upperBound)" } ?? "null"),
        ("choices", JSONEscaping.array(parameter.choices.map(literal))),
        ("required", "\(parameter.isRequired)"), ("default", parameter.fallback ?? "null"),
        ("meaning", literal(parameter.meaning)),
      ])
  }

  private static func literal(_ text: String) -> String { JSONEscaping.literal(text) }
}
