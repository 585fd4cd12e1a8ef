import FoundationEssentials
import JSONText

/// The JSON text of summaries, reports and progress: sorted keys, no raw control characters.
package enum ReportText {
  /// One line without a newline; throws when a number has no JSON form.
  package static func line(_ value: some Encodable) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  /// Indented, with a newline at the end.
  package static func pretty(_ value: some Encodable) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]) + "\n"
  }

  private static func text(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return String(decoding: JSONEscaping.hardened(Array(try encoder.encode(value))), as: UTF8.self)
  }
}
