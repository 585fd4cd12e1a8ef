/// Text made safe for a terminal, a log or a page.
package enum DisplayText {
  /// Shows bytes as text: invalid UTF-8 becomes `\xNN`; control, line-separating and
  /// direction-changing characters become `\u{NNNN}`.
  package static func escaped(_ bytes: [UInt8]) -> String {
    var result = ""
    var index = 0
    while index < bytes.count {
      let length = sequenceLength(bytes, at: index)
      if length > 0,
        let piece = String(validating: bytes[index..<(index + length)], as: UTF8.self)
      {
        for scalar in piece.unicodeScalars { append(scalar, to: &result) }
        index += length
      } else {
        result += "\\x" + hex(UInt32(bytes[index]), digits: 2)
        index += 1
      }
    }
    return result
  }

  package static func escaped(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ !isUnsafe($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars { append(scalar, to: &result) }
    return result
  }

  /// Whether a scalar could move the cursor, end a line, or reorder what is shown.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    if isUnsafe(scalar) {
      result += "\\u{" + hex(scalar.value, digits: 1) + "}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }

  private static func sequenceLength(_ bytes: [UInt8], at index: Int) -> Int {
    let length =
      switch bytes[index] {
      case 0x00...0x7F: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    return index + length <= bytes.count ? length : 0
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
