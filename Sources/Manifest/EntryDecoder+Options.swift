import JSONText
import RenderModel

extension EntryDecoder {
  /// Reads what is said about the encoding and finds what the type cannot do.
  mutating func readOptions(_ value: JSONValue, into rendition: inout Rendition) {
    for option in OutputOption.all {
      let key = option.name.rawValue
      // What is of another form was found by its shape already.
      guard let member = value[key], let given = OutputValue(member, as: option) else { continue }
      if let fault = option.fault(of: given, in: rendition.type) {
        findings.add(fault, at: member.offset, field: key)
        continue
      }
      switch (option.name, given) {
      case (.quality, .number(let number)): rendition.quality = number
      case (.bitDepth, .number(let number)): rendition.bitDepth = number
      default: rendition.options[option.name] = given
      }
    }
    for (name, fault) in rendition.optionFaults {
      let key = name.rawValue
      findings.add(fault, at: value[key]?.offset ?? value.offset, field: key)
    }
  }
}

extension OutputValue {
  /// nil for what no type could have.
  init?(_ value: JSONValue, as option: OutputOption) {
    let given: OutputValue
    if let flag = value.bool {
      given = .flag(flag)
    } else if let number = value.number?.integer {
      given = .number(number)
    } else if let word = value.string {
      given = .word(word)
    } else {
      return nil
    }
    guard option.uses.contains(where: { $0.form.allows(given) }) else { return nil }
    self = given
  }
}

extension KeyShape {
  /// Everything that some type allows; what its own type does not is found by the decoder.
  init(_ option: OutputOption) {
    let standards = Set(option.uses.map(\.standard))
    var about = option.meaning
    if !option.isPassedOver, option.types != UniformType.writable {
      about += " Of " + option.types.map(\.rawValue).joined(separator: ", ") + "."
    }
    if standards.count == 1, let standard = option.uses.first?.standard {
      about += " \(standard.text) when left out."
    }
    self.init(option.name.rawValue, Shape(option.uses.map(\.form)), about)
  }
}

extension Shape {
  /// The shape of all forms of one option together.
  fileprivate init(_ forms: [OutputOption.Form]) {
    var words: [String] = []
    var numbers: Set<Int> = []
    var range: ClosedRange<Int>?
    for form in forms {
      switch form {
      case .boolean: break
      case .integer(let wide):
        range =
          min(
            range?.lowerBound ?? wide.lowerBound, wide.lowerBound)...max(
            range?.upperBound ?? wide.upperBound, wide.upperBound)
      case .oneOf(let values): numbers.formUnion(values)
      case .words(let values): words += values.filter { !words.contains($0) }
      }
    }
    if let range {
      self = .integer(range)
    } else if !numbers.isEmpty {
      self = .integerChoice(numbers.sorted(), later: [])
    } else {
      self = words.isEmpty ? .boolean : .choice(words, later: [])
    }
  }
}
