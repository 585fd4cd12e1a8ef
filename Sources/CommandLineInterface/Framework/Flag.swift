/// What a flag is, without the type of its value: all that parser, help, pages and shells need.
package struct FlagDescription: Sendable {
  /// Without the dashes.
  package var name: String
  package var summary: String
  /// The heading that it stands under in the help.
  package var group: FlagGroup
  /// nil for a switch, which takes no value.
  package var value: ValueDescription?
  /// What holds when the flag is not given, in words; nil when that goes without saying.
  package var standard: String?
  package var isRequired: Bool
  /// The variable that stands in for the flag when it is not given.
  package var environmentVariable: String?

  /// `--output DIR`, `--force`.
  package var spelling: String {
    value.map { "--\(name) \($0.placeholder)" } ?? "--\(name)"
  }
}

package struct ValueDescription: Sendable {
  package var placeholder: String
  package var expectation: String
  package var completion: ValueCompletion
  package var accepts: @Sendable (Argument) -> Bool
}

package enum FlagGroup: String, Sendable, CaseIterable {
  case work = "What is rendered"
  case machine = "Machine"
  case reporting = "Reporting"
  case general = "Options"
}

/// A flag with a value of a certain type.
package struct Flag<Value: Sendable>: Sendable {
  package var description: FlagDescription
  package var form: ValueForm<Value>

  package init(
    _ name: String, _ form: ValueForm<Value>, group: FlagGroup = .general, _ summary: String,
    standard: String? = nil, isRequired: Bool = false, environment: Bool = false
  ) {
    self.form = form
    description = FlagDescription(
      name: name, summary: summary, group: group,
      value: ValueDescription(
        placeholder: form.placeholder, expectation: form.expectation, completion: form.completion,
        accepts: { form.read($0) != nil }),
      standard: standard, isRequired: isRequired,
      environmentVariable: environment ? Self.variable(for: name) : nil)
  }

  private static func variable(for name: String) -> String {
    "MINILAB_" + name.uppercased().split(separator: "-").joined(separator: "_")
  }
}

/// A flag without a value: given or not.
package struct Switch: Sendable {
  package var description: FlagDescription

  package init(_ name: String, group: FlagGroup = .general, _ summary: String) {
    description = FlagDescription(
      name: name, summary: summary, group: group, value: nil, standard: nil, isRequired: false,
      environmentVariable: nil)
  }
}
