package import JSONText

/// One spelling for each JSON value: the canonicalisation scheme of RFC 8785.
package enum CanonicalJSON {
  /// Members in the order of their keys' UTF-16 units, numbers as ECMAScript writes them, no spaces.
  ///
  /// A number that no finite Double can hold keeps its own spelling; of members with the same key
  /// all are kept, in their order.
  package static func encode(_ value: JSONValue) -> [UInt8] {
    var text: [UInt8] = []
    append(value, to: &text)
    return text
  }

  /// A finite number as ECMAScript's Number::toString gives it.
  package static func number(_ value: Double) -> String {
    if value == 0 { return "0" }
    let sign = value < 0 ? "-" : ""
    let (digits, exponent) = shortest(abs(value))
    // The value is 0.DIGITS · 10^point.
    let point = exponent
    let count = digits.count
    let text = String(decoding: digits, as: UTF8.self)
    if point >= count, point <= 21 {
      return sign + text + String(repeating: "0", count: point - count)
    }
    if point > 0, point <= 21 { return sign + text.prefix(point) + "." + text.dropFirst(point) }
    if point > -6, point <= 0 {
      return sign + "0." + String(repeating: "0", count: -point) + text
    }
    let power = point - 1
    let fraction = count > 1 ? "." + text.dropFirst() : ""
    return sign + text.prefix(1) + fraction + "e" + (power < 0 ? "-" : "+") + String(abs(power))
  }

  private static func append(_ value: JSONValue, to text: inout [UInt8]) {
    switch value.kind {
    case .null: text += "null".utf8
    case .bool(let flag): text += (flag ? "true" : "false").utf8
    case .number(let number):
      text += (number.double.map(Self.number) ?? number.text).utf8
    case .string(let string): append(string, to: &text)
    case .array(let values):
      text.append(UInt8(ascii: "["))
      for (index, element) in values.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        append(element, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in sorted(members).enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        append(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        append(member.value, to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func sorted(_ members: [JSONMember]) -> [JSONMember] {
    let order = members.indices.sorted { left, right in
      let (one, other) = (members[left].key.utf16, members[right].key.utf16)
      if one.elementsEqual(other) { return left < right }
      return one.lexicographicallyPrecedes(other)
    }
    return order.map { members[$0] }
  }

  private static func append(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): text += "\\\"".utf8
      case UInt8(ascii: "\\"): text += "\\\\".utf8
      case 0x08: text += "\\b".utf8
      case 0x09: text += "\\t".utf8
      case 0x0A: text += "\\n".utf8
      case 0x0C: text += "\\f".utf8
      case 0x0D: text += "\\r".utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// The fewest digits that name a positive Double, and where the point stands: 0.DIGITS · 10^point.
  private static func shortest(_ value: Double) -> (digits: [UInt8], point: Int) {
    // Swift's description has the shortest digits; only its layout is another.
    let parts = value.description.utf8.split(separator: UInt8(ascii: "e"))
    let mantissa = parts[0].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    var digits = mantissa.flatMap(Array.init)
    var point = mantissa[0].count
    if parts.count > 1 { point += Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 }
    let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leading)
    point -= leading
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, point)
  }
}
