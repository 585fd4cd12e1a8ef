/// What a rendition says about its encoding, beside quality and depth; each value is right for its type.
package struct OutputOptions: Hashable, Sendable {
  package private(set) var values: [OutputOption.Name: OutputValue]

  package init(_ values: [OutputOption.Name: OutputValue] = [:]) { self.values = values }

  package subscript(name: OutputOption.Name) -> OutputValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// In the order of the catalogue, whatever the order they were given in.
  package var sorted: [(name: OutputOption.Name, value: OutputValue)] {
    OutputOption.Name.allCases.compactMap { name in values[name].map { (name, $0) } }
  }
}

extension Rendition {
  /// What is said, else what holds for the type; nil when neither says anything.
  package func value(of name: OutputOption.Name) -> OutputValue? {
    switch name {
    case .quality: .number(quality)
    case .bitDepth: .number(depth)
    default: options[name] ?? OutputOption.named(name)?.use(by: type)?.standard
    }
  }

  package func number(_ name: OutputOption.Name) -> Int? {
    guard case .number(let number) = value(of: name) else { return nil }
    return number
  }

  package func flag(_ name: OutputOption.Name) -> Bool {
    value(of: name) == .flag(true)
  }

  package func word(_ name: OutputOption.Name) -> String? {
    guard case .word(let word) = value(of: name) else { return nil }
    return word
  }

  /// Bits a sample: those asked for, or the most below them that the type can have.
  package var depth: Int {
    guard case .oneOf(let depths) = OutputOption.named(.bitDepth)?.use(by: type)?.form else {
      return 8
    }
    return depths.filter { $0 <= bitDepth ?? 8 }.max() ?? 8
  }

  package var isLossless: Bool {
    flag(.lossless) || OutputOption.named(.quality)?.use(by: type) == nil
  }

  /// How far quality may be lowered to keep to `maxBytes`.
  package var lowestQuality: Int { min(quality, number(.minimumQuality) ?? quality) }

  /// What is wrong although each option alone would be right, and with which of them.
  package var optionFaults: [(name: OutputOption.Name, fault: String)] {
    var faults: [(name: OutputOption.Name, fault: String)] = []
    if options[.maxBytes] != nil, flag(.lossless) {
      faults.append((.maxBytes, "a lossless rendition has no quality that could be lowered"))
    }
    if let lowest = options[.minimumQuality] {
      if options[.maxBytes] == nil {
        faults.append((.minimumQuality, "bounds the search for maxBytes, which is not given"))
      } else if case .number(let number) = lowest, number > quality {
        faults.append((.minimumQuality, "\(number) is higher than the quality, \(quality)"))
      }
    }
    return faults
  }
}
