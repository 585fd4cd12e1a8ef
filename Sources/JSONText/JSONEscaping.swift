/// JSON text that is safe to print: no raw control characters anywhere.
package enum JSONEscaping {
  /// Writes a string as a JSON literal with quotes.
  package static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if mustEscape(scalar.value) {
          result += unicodeEscape(scalar.value)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  /// Escapes what an encoder left raw inside its strings: DEL, C1, line separators, direction marks.
  ///
  /// Such characters occur in JSON only inside strings, so the meaning does not change.
  package static func hardened(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 >= 0xE2 }) else {
      return json
    }
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if scalar.value >= 0x20, mustEscape(scalar.value) {
        result += Array(unicodeEscape(scalar.value).utf8)
      } else {
        result += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return result
  }

  private static func mustEscape(_ value: UInt32) -> Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func unicodeEscape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// An object of members whose values are JSON already, in their order.
  package static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { literal($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }

  /// An array of values that are JSON already.
  package static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }
}
