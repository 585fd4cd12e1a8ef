import JSONText
import RenderModel

extension Shape {
  /// Adds everything about a value that this shape does not allow.
  func check(_ value: JSONValue, _ findings: inout Findings) {
    switch self {
    case .boolean:
      if value.bool == nil { refuse(value, &findings) }
    case .version(let version):
      checkInteger(value, &findings) { number in
        if number == version { return nil }
        return number > version ? "; this manifest is for a newer Minilab" : ""
      }
    case .integer(let range):
      checkInteger(value, &findings) { range.contains($0) ? nil : "" }
    case .integerChoice(let values, let later):
      checkInteger(value, &findings) { number in
        if values.contains(number) { return nil }
        return later.contains(number) ? "; \(number) is not available yet" : ""
      }
    case .text:
      if value.string?.isEmpty ?? true { refuse(value, &findings) }
    case .choice(let values, let later):
      checkChoice(value, values, later, &findings)
    case .duration(let range):
      guard let text = value.string, let length = DurationText.parse(text), range.contains(length)
      else { return refuse(value, &findings) }
    case .size(let side):
      checkSize(value, side, &findings)
    case .list(let element, let count):
      checkList(value, element, count, &findings)
    case .object(let object):
      object.check(value, &findings)
    case .either(let text, let object):
      if value.string != nil {
        text.check(value, &findings)
      } else if value.object != nil {
        object.check(value, &findings)
      } else {
        refuse(value, &findings)
      }
    case .anything: break
    case .notYet(let instead):
      findings.add("is not available yet; \(instead)", at: value.offset)
    }
  }

  private func refuse(_ value: JSONValue, _ findings: inout Findings, hint: String = "") {
    let shown = takes(value) ? value.shownWithoutType : value.shown
    findings.add("\(shown); \(wanted) is wanted\(hint)", at: value.offset)
  }

  /// The body gives nil for a number that is right and a hint for one that is not.
  private func checkInteger(
    _ value: JSONValue, _ findings: inout Findings, _ hint: (Int) -> String?
  ) {
    if let text = value.string, let number = Int(text), hint(number) == nil {
      return refuse(value, &findings, hint: ": write it without quotes")
    }
    guard let number = value.number?.integer else { return refuse(value, &findings) }
    if let hint = hint(number) { refuse(value, &findings, hint: hint) }
  }

  private func checkChoice(
    _ value: JSONValue, _ values: [String], _ later: [String], _ findings: inout Findings
  ) {
    guard let text = value.string else { return refuse(value, &findings) }
    if values.contains(text) { return }
    if later.contains(text) {
      return refuse(value, &findings, hint: "; \"\(text)\" is not available yet")
    }
    refuse(value, &findings, hint: Spelling.hint(text, among: values))
  }

  private func checkSize(_ value: JSONValue, _ side: ClosedRange<Int>, _ findings: inout Findings) {
    guard let sides = value.array, sides.count == 2 else { return refuse(value, &findings) }
    var numbers: [Int] = []
    for (index, number) in sides.enumerated() {
      let before = findings.count
      findings.within("[\(index)]") { Shape.integer(side).check(number, &$0) }
      if findings.count == before { numbers.append(number.number?.integer ?? 0) }
    }
    if numbers == [0, 0] {
      findings.add(
        "[0, 0] leaves both sides free; leave targetSize out for the full size", at: value.offset)
    }
  }

  private func checkList(
    _ value: JSONValue, _ element: Shape, _ count: ClosedRange<Int>, _ findings: inout Findings
  ) {
    guard let values = value.array, values.count >= count.lowerBound else {
      return refuse(value, &findings)
    }
    if values.count > count.upperBound {
      findings.add(
        "has \(values.count) elements; at most \(count.upperBound) are allowed", at: value.offset)
    }
    for (index, value) in values.enumerated() {
      findings.within("[\(index)]") { element.check(value, &$0) }
    }
  }
}

extension ObjectShape {
  func check(_ value: JSONValue, _ findings: inout Findings) {
    guard let members = value.object else {
      findings.add("\(value.shown); \(noun) is wanted", at: value.offset)
      return
    }
    for member in members {
      guard let shape = shape(of: member.key) else {
        addUnknown(member, &findings)
        continue
      }
      findings.within(member.key) { shape.check(member.value, &$0) }
    }
    for key in required where value[key] == nil {
      findings.add("\(noun) needs \"\(key)\"", at: value.offset)
    }
    checkAlternatives(value, members, &findings)
  }

  private func addUnknown(_ member: JSONMember, _ findings: inout Findings) {
    let known = keys.map(\.name)
    let near = Spelling.hint(member.key, among: known)
    let list = near.isEmpty ? "; the keys are " + known.joined(separator: ", ") : near
    findings.add(
      "\(noun) has no such key\(list)", at: member.keyOffset, field: member.key)
  }

  private func checkAlternatives(
    _ value: JSONValue, _ members: [JSONMember], _ findings: inout Findings
  ) {
    guard !exactlyOne.isEmpty else { return }
    var first: JSONMember?
    for member in members where exactlyOne.contains(member.key) {
      guard let given = first else {
        first = member
        continue
      }
      // The same key again is found as a duplicate.
      if member.key == given.key { continue }
      findings.add(
        "\(noun) has \"\(given.key)\" already; only one of \(alternatives) is wanted",
        at: member.keyOffset, field: member.key)
      return
    }
    if first == nil { findings.add("\(noun) needs one of \(alternatives)", at: value.offset) }
  }

  private var alternatives: String {
    exactlyOne.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension JSONValue {
  /// The value and its type in a few words, as the beginning of a message.
  var shown: String {
    switch kind {
    case .null: "null is no value"
    case .bool(let value): "\(value) is a Boolean"
    case .number: "\(literal) is a number"
    case .string: "\(literal) is text"
    case .array: "this is an array"
    case .object: "this is an object"
    }
  }

  /// As `shown`, where not the type is what is wrong.
  var shownWithoutType: String {
    if case .number(let number) = kind, number.double == nil { return "\(literal) is out of range" }
    if case .string("") = kind { return "the text is empty" }
    return "\(literal) is not allowed"
  }

  private var literal: String {
    switch kind {
    case .number(let number): String(number.text.prefix(40))
    case .string(let text):
      "\"" + DisplayText.escaped(String(text.prefix(40))) + (text.count > 40 ? "…" : "") + "\""
    default: typeName
    }
  }
}
