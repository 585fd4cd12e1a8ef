/// Where something stands in a text, for a person.
package struct JSONPlace: Hashable, Sendable {
  /// Counted from 1; lines end with a line feed.
  package var line: Int
  /// Counted from 1, in Unicode scalars, as editors show it.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of an offset that counts in the indices of `bytes`.
  package init(of offset: Int, in bytes: ArraySlice<UInt8>) {
    var line = 1
    var start = bytes.startIndex
    let end = min(max(offset, bytes.startIndex), bytes.endIndex)
    for index in bytes.startIndex..<end where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      start = index + 1
    }
    self.init(line: line, column: Self.column(bytes[start..<end]))
  }

  /// The column just past some bytes of one line.
  package static func column(_ before: ArraySlice<UInt8>) -> Int {
    // Bytes that continue a UTF-8 sequence are not columns of their own.
    1 + before.count { $0 & 0xC0 != 0x80 }
  }
}

extension JSONParser {
  /// The offset in the text of one byte of a string's decoded value.
  ///
  /// `value` is the string as parsed from `bytes`; escapes make the two differ.
  package static func offset(ofByte byte: Int, of value: JSONValue, in bytes: ArraySlice<UInt8>)
    -> Int
  {
    var position = value.offset + 1
    var decoded = 0
    while decoded < byte, position < value.end - 1, position < bytes.endIndex - 1 {
      guard bytes[position] == UInt8(ascii: "\\") else {
        position += 1
        decoded += 1
        continue
      }
      let isUnicode = bytes[position + 1] == UInt8(ascii: "u")
      let length = isUnicode ? unicodeEscapeLength(at: position, in: bytes) : 2
      let escape =
        [UInt8(ascii: "\"")] + bytes[position..<(position + length)] + [UInt8(ascii: "\"")]
      let text = try? parse(escape).value.string
      decoded += text?.utf8.count ?? 1
      position += length
    }
    return position
  }

  private static func unicodeEscapeLength(at position: Int, in bytes: ArraySlice<UInt8>) -> Int {
    let length = min(6, bytes.endIndex - position)
    guard length == 6,
      let digits = String(validating: bytes[(position + 2)..<(position + 6)], as: UTF8.self),
      let unit = UInt32(digits, radix: 16), (0xD800...0xDBFF).contains(unit)
    else { return length }
    return min(12, bytes.endIndex - position)
  }
}
