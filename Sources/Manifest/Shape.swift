import JSONText

/// What a JSON value must look like: the one description behind decoder, messages and schema.
indirect enum Shape: Sendable {
  case boolean
  /// The version of the manifest format.
  case version(Int)
  case integer(ClosedRange<Int>)
  /// One of a few numbers; `later` are those that are known but not available yet.
  case integerChoice([Int], later: [Int])
  /// Any text that is not empty.
  case text
  /// One of a few words; `later` are those that are known but not available yet.
  case choice([String], later: [String])
  /// Text such as `30s`, between two lengths in milliseconds.
  case duration(ClosedRange<Int>)
  /// Two integers, not both 0.
  case size(side: ClosedRange<Int>)
  case list(Shape, count: ClosedRange<Int>)
  case object(ObjectShape)
  /// Text or an object, told apart by the JSON type.
  case either(text: Shape, object: ObjectShape)
  case anything
  /// A key that is known, but whose feature is still to come.
  case notYet(Instead)

  /// What can be done without the feature.
  typealias Instead = String
}

/// An object with known keys.
struct ObjectShape: Sendable {
  /// Its name among the definitions of the schema.
  var id: String
  /// What it is, with its article: `a rendition`.
  var noun: String
  var keys: [KeyShape]
  var required: [String] = []
  /// Of these exactly one must be there.
  var exactlyOne: [String] = []

  func shape(of key: String) -> Shape? {
    for candidate in keys where candidate.name == key { return candidate.shape }
    return nil
  }
}

struct KeyShape: Sendable {
  var name: String
  var shape: Shape
  /// What it means, for the schema.
  var about: String

  init(_ name: String, _ shape: Shape, _ about: String) {
    self.name = name
    self.shape = shape
    self.about = about
  }
}

extension Shape {
  /// What would be right, as the end of `… is wanted`.
  var wanted: String {
    switch self {
    case .boolean: "true or false"
    case .version(let version): "the number \(version)"
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .integerChoice(let values, _):
      "one of " + values.map { String($0) }.joined(separator: ", ")
    case .text: "text that is not empty"
    case .choice(let values, _): "one of " + values.map { "\"\($0)\"" }.joined(separator: ", ")
    case .duration(let range):
      "a length of time from \(DurationText.format(range.lowerBound)) to "
        + "\(DurationText.format(range.upperBound)), such as \"500ms\", \"30s\", \"2m\" or \"1h\","
    case .size(let side):
      "[width, height] in pixels, each from 0 to \(side.upperBound), 0 for free,"
    case .list(_, let count) where count.lowerBound > 0: "an array that is not empty"
    case .list: "an array"
    case .object(let object): object.noun
    case .either(let text, let object): text.wanted + " or " + object.noun
    case .anything: "a value"
    case .notYet: "nothing"
    }
  }
}

extension Shape {
  /// Whether a value of this JSON type could be right, so that not its type is wrong.
  func takes(_ value: JSONValue) -> Bool {
    switch (self, value.kind) {
    case (.version, .number), (.integer, .number), (.integerChoice, .number): true
    case (.text, .string), (.choice, .string), (.duration, .string), (.either, .string): true
    default: false
    }
  }
}
