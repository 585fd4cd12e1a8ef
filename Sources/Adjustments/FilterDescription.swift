/// All that is known of a filter: feeds the decoder, the documentation and the `filters` command.
package struct FilterDescription: Hashable, Sendable {
  package var name: String
  /// The one that is meant when a record names none; rises whenever the same parameters give other pixels.
  package var version: Int
  /// Those before it that can still be rendered when a record names them.
  package var older: [OlderVersion]
  package var kind: FilterKind
  /// One sentence.
  package var summary: String
  package var parameters: [ParameterDescription]
  /// The parameters at which the filter does nothing.
  package var identity: String
  package var formula: String
  /// Where the formula was published.
  package var source: String

  package init(
    _ name: String, version: Int = 1, older: [OlderVersion] = [], _ kind: FilterKind,
    summary: String, parameters: [ParameterDescription], identity: String, formula: String,
    source: String
  ) {
    self.name = name
    self.version = version
    self.older = older
    self.kind = kind
    self.summary = summary
    self.parameters = parameters
    self.identity = identity
    self.formula = formula
    self.source = source
  }

  /// Whether it may have an opacity.
  package var isBlended: Bool { kind != .geometry || name == "overlay" }

  /// Whether it may have a mask: a pixel that has moved cannot be mixed with the one before.
  package var takesMask: Bool { kind != .geometry }

  /// The opacity that every filter may have that is blended.
  package static let opacity = ParameterDescription(
    "opacity", .number(0...1, default: 1),
    "how much of the filter's result is taken; the rest is what was there before")

  /// All that can be rendered; a record may name any of them.
  package var versions: Set<Int> { Set(older.map(\.number)).union([version]) }

  package func parameter(_ name: String) -> ParameterDescription? {
    parameters.first { $0.name == name }
  }

  /// What a filter of that version may hold.
  package func parameters(ofVersion number: Int) -> [ParameterDescription] {
    older.first { $0.number == number }?.parameters ?? parameters
  }
}

/// A version of a filter that came before the current one and is still rendered.
package struct OlderVersion: Hashable, Sendable {
  package var number: Int
  /// nil when they are those of the current version.
  package var parameters: [ParameterDescription]?
  /// What it does otherwise, after "Version N".
  package var difference: String

  package init(_ number: Int, parameters: [ParameterDescription]? = nil, _ difference: String) {
    self.number = number
    self.parameters = parameters
    self.difference = difference
  }
}

package struct ParameterDescription: Hashable, Sendable {
  package enum Domain: Hashable, Sendable {
    /// A nil default means that the parameter must be given.
    case number(ClosedRange<Double>, default: Double?)
    case whole(ClosedRange<Int>, default: Int?)
    case choice([String], default: String)
    /// true or false; travels as the number 1 or 0.
    case flag(default: Bool)
    /// [[x, y], …]: so many points, x rising strictly, both in 0…1. An optional one may be absent.
    case points(ClosedRange<Int>, isOptional: Bool = false)
    /// [a, b, …]: so many numbers. A nil default means that they must be given.
    case numbers(ClosedRange<Int>, ClosedRange<Double>, default: [Double]?)
    /// The path of a file: beside the record's own file, else beneath the library.
    case file
  }

  package var name: String
  package var domain: Domain
  package var unit: String
  package var meaning: String

  package init(_ name: String, _ domain: Domain, unit: String = "", _ meaning: String) {
    self.name = name
    self.domain = domain
    self.unit = unit
    self.meaning = meaning
  }
}
