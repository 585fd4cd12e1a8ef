extension JSONParser {
  mutating func parseNumber() throws(SyntaxError) -> JSONNumber {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if position < bytes.endIndex, Self.isDigit(bytes[position]) {
        throw error("a number may not begin with 0")
      }
    } else {
      try digits()
    }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() throws(SyntaxError) {
    let start = position
    while position < bytes.endIndex, Self.isDigit(bytes[position]) { position += 1 }
    if position == start { throw error("a digit is wanted here") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  mutating func parseString() throws(SyntaxError) -> String {
    let opening = position
    position += 1
    let start = position
    var seen: UInt8 = 0
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        // Most strings are ASCII, for which the general check is slow.
        let piece = bytes[start..<position]
        let text =
          seen < 0x80 ? String(decoding: piece, as: UTF8.self) : try validated(piece, from: start)
        position += 1
        return text
      case UInt8(ascii: "\\"):
        return try parseEscapedString(from: start, opening: opening)
      case 0x00..<0x20:
        throw error("a control character in a string must be escaped")
      default:
        seen |= bytes[position]
        position += 1
      }
    }
    throw SyntaxError(offset: opening, message: "this string is never closed")
  }

  private mutating func parseEscapedString(from start: Int, opening: Int) throws(SyntaxError)
    -> String
  {
    var text = Array(bytes[start..<position])
    while position < bytes.endIndex {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let result = try validated(text[...], from: start)
        position += 1
        return result
      case UInt8(ascii: "\\"):
        let scalar = try parseEscape()
        text += Array(String(Character(scalar)).utf8)
      case 0x00..<0x20:
        throw error("a control character in a string must be escaped")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw SyntaxError(offset: opening, message: "this string is never closed")
  }

  private mutating func parseEscape() throws(SyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard position < bytes.endIndex else { throw error("the text ends inside an escape") }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try parseHex()
      if let scalar = Unicode.Scalar(first) { return scalar }
      if first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let second = try parseHex()
        if (0xDC00...0xDFFF).contains(second),
          let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
          return scalar
        }
      }
      throw SyntaxError(offset: start, message: "this is half of a surrogate pair")
    default:
      throw SyntaxError(offset: start, message: "this is not an escape that JSON knows")
    }
  }

  private mutating func parseHex() throws(SyntaxError) -> UInt32 {
    guard position + 4 <= bytes.endIndex else { throw error("the text ends inside an escape") }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw error("four hexadecimal digits are wanted here")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private func validated(_ text: ArraySlice<UInt8>, from offset: Int) throws(SyntaxError) -> String
  {
    guard let string = String(validating: text, as: UTF8.self) else {
      throw SyntaxError(
        offset: offset, message: "this string is not valid UTF-8; give such names in base64")
    }
    return string
  }
}
