import JSONText
import RenderModel

extension FilterListDecoder {
  /// The value or its default; nil when a problem was reported.
  mutating func decode(
    _ parameter: ParameterDescription, of filter: JSONValue, in field: String
  ) -> FilterStep.Value? {
    let path = "\(field).\(parameter.name)"
    guard let value = filter[parameter.name] else {
      if let value = parameter.defaultValue { return value }
      if parameter.isOptional { return nil }
      report(filter.offset, path, "\(parameter.name) is missing; \(parameter.wanted)")
      return nil
    }
    switch parameter.domain {
    case .number(let range, _):
      guard let number = value.number?.double, range.contains(number) else { break }
      return .number(number)
    case .whole(let range, _):
      guard let number = value.number?.integer, range.contains(number) else { break }
      return .number(Double(number))
    case .choice(let names, _):
      guard let name = value.string else { break }
      if names.contains(name) { return .text(name) }
      report(value.offset, path, Wording.unknown(parameter.name, name, among: names))
      return nil
    case .flag:
      guard case .bool(let isSet) = value.kind else { break }
      return .number(isSet ? 1 : 0)
    case .points(let counts, _):
      return points(value, counts, at: path).map { .points($0) }
    case .numbers(let counts, let range, _):
      guard let numbers = value.array?.map({ $0.number?.double }), counts.contains(numbers.count),
        numbers.allSatisfy({ $0.map(range.contains) ?? false })
      else { break }
      return .numbers(numbers.compactMap { $0 })
    case .file:
      guard let name = value.string else { break }
      guard let fault = RelativePath.fault(in: Array(name.utf8)) else { return .file(name) }
      report(value.offset, path, "\(parameter.name) \(fault.message)")
      return nil
    }
    report(
      value.offset, path, "\(parameter.name) \(parameter.wanted), not \(Self.shown(value))")
    return nil
  }

  private mutating func points(
    _ value: JSONValue, _ counts: ClosedRange<Int>, at path: String
  ) -> [FilterStep.CurvePoint]? {
    guard let values = value.array else {
      report(value.offset, path, "points must be an array of [x, y], not \(value.typeName)")
      return nil
    }
    guard counts.contains(values.count) else {
      report(
        value.offset, path,
        "there are \(values.count) points; "
          + "from \(counts.lowerBound) to \(counts.upperBound) are wanted")
      return nil
    }
    var points: [FilterStep.CurvePoint] = []
    for (index, pair) in values.enumerated() {
      let numbers = pair.array?.map { $0.number?.double } ?? []
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1], (0...1).contains(x),
        (0...1).contains(y)
      else {
        report(
          pair.offset, "\(path)[\(index)]", "a point is [x, y] with both numbers from 0 to 1")
        return nil
      }
      if let last = points.last, x <= last.x {
        report(
          pair.offset, "\(path)[\(index)]",
          "x must rise: \(Wording.number(x)) comes after \(Wording.number(last.x))")
        return nil
      }
      points.append(FilterStep.CurvePoint(x: x, y: y))
    }
    return points
  }

  static func shown(_ value: JSONValue) -> String {
    if let array = value.array {
      // What is long says more by its length.
      let members = array.map(shown).joined(separator: ", ")
      return array.count <= 8 ? "[\(members)]" : "an array of \(array.count)"
    }
    guard let number = value.number else { return value.typeName }
    return number.text.utf8.count <= 32
      ? number.text : "a number of \(number.text.utf8.count) digits"
  }
}

extension ParameterDescription {
  /// Whether it may be absent without having a default.
  var isOptional: Bool {
    if case .points(_, isOptional: true) = domain { true } else { false }
  }

  /// nil when the parameter must be given.
  var defaultValue: FilterStep.Value? {
    switch domain {
    case .number(_, let value): value.map { .number($0) }
    case .whole(_, let value): value.map { .number(Double($0)) }
    case .choice(_, let value): .text(value)
    case .flag(let value): .number(value ? 1 : 0)
    case .numbers(_, _, let value): value.map { .numbers($0) }
    case .points, .file: nil
    }
  }

  /// What a value must be, after the parameter's name.
  var wanted: String {
    switch domain {
    case .number(let range, _): "must be a number \(Wording.range(range))"
    case .whole(let range, _):
      "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let names, _): "must be one of \(Wording.list(names))"
    case .flag: "must be true or false"
    case .numbers(let counts, let range, _):
      "must be an array of \(Wording.count(counts)) numbers \(Wording.range(range))"
    case .file: "must be the path of a file, in quotes"
    case .points(let counts, _):
      "must be from \(counts.lowerBound) to \(counts.upperBound) points [x, y]"
    }
  }
}
