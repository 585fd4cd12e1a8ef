/// Something that can be said about how a rendition is encoded.
///
/// Decoder, messages, schema and documentation are made from the catalogue of these.
package struct OutputOption: Hashable, Sendable {
  /// The keys of a rendition.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case quality, bitDepth, maxBytes, minimumQuality, lossless, effort, chromaSubsampling
    case progressive, optimizeCoding, compression, predictor, tileSize
  }

  package enum Form: Hashable, Sendable {
    case boolean
    case integer(ClosedRange<Int>)
    case oneOf([Int])
    case words([String])

    package func allows(_ value: OutputValue) -> Bool {
      switch (self, value) {
      case (.boolean, .flag): true
      case (.integer(let range), .number(let number)): range.contains(number)
      case (.oneOf(let numbers), .number(let number)): numbers.contains(number)
      case (.words(let words), .word(let word)): words.contains(word)
      default: false
      }
    }
  }

  /// What types allow, and what holds for them when nothing is said.
  package struct Use: Hashable, Sendable {
    package var types: [UniformType]
    package var form: Form
    /// nil: nothing of the kind is done.
    package var standard: OutputValue?
  }

  package var name: Name
  /// What it means, in one sentence.
  package var meaning: String
  package var uses: [Use]
  /// Whether types that it does not belong to pass over it instead of refusing it.
  package var isPassedOver = false

  package var types: [UniformType] {
    UniformType.writable.filter { use(by: $0) != nil }
  }

  package func use(by type: UniformType) -> Use? {
    uses.first { $0.types.contains(type) }
  }

  /// Why a value is wrong for a type, in words that follow the value's place; nil when it is right.
  package func fault(of value: OutputValue, in type: UniformType) -> String? {
    guard UniformType.writable.contains(type) else { return nil }
    let label = name.rawValue
    guard let use = use(by: type) else {
      if isPassedOver { return nil }
      return "\(type.rawValue) has no \(label); it belongs to \(Self.list(types))"
    }
    if use.form.allows(value) { return nil }
    let others = types.filter { self.use(by: $0)?.form.allows(value) ?? false }
    let can = others.isEmpty ? "" : "; \(Self.list(others)) can"
    return "\(type.rawValue) cannot have \(label) \(value.text), only \(use.form.text)\(can)"
  }

  static func list(_ types: [UniformType]) -> String {
    let names = types.map(\.rawValue)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// The value of an option.
package enum OutputValue: Hashable, Sendable {
  case flag(Bool)
  case number(Int)
  case word(String)

  package var text: String {
    switch self {
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .word(let word): word
    }
  }
}

extension OutputOption.Form {
  /// What is allowed, for a person.
  package var text: String {
    switch self {
    case .boolean: "true or false"
    case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .oneOf(let numbers): Self.alternatives(numbers.map { String($0) })
    case .words(let words): Self.alternatives(words)
    }
  }

  private static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
