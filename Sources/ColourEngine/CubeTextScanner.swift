import RenderModel

/// Goes through the bytes of a `.cube` file line by line.
///
/// Lines end with LF, CR LF or CR; blanks are spaces and tabs; `#` begins a comment anywhere.
struct CubeTextScanner {
  private let bytes: [UInt8]
  private var position = 0
  /// Of the position, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Rows that the bytes could hold; keeps a size from asking for memory that no row fills.
  var rowsAtMost: Int { bytes.count / 6 + 1 }

  /// Passes over the mark of UTF-8.
  mutating func skipMark() throws(CubeTextError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw CubeTextError(line: 1, .utf16)
    }
  }

  /// Goes to the next line that says something, and to its first word; false at the end of the file.
  mutating func findsLine() -> Bool {
    while position < bytes.count {
      switch bytes[position] {
      case Byte.space, Byte.tab: position += 1
      case Byte.newline, Byte.carriageReturn: passLineEnd()
      case Byte.hash: skipToLineEnd()
      default: return true
      }
    }
    return false
  }

  /// Whether the word begins as a number does.
  var isAtNumber: Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case Byte.zero...Byte.nine, Byte.plus, Byte.minus, Byte.point: return true
    default: return false
    }
  }

  mutating func skipLine() {
    skipToLineEnd()
    if position < bytes.count { passLineEnd() }
  }

  /// The word at the position, which is passed.
  mutating func word() throws(CubeTextError) -> String {
    let start = position
    skipWord()
    let word = bytes[start..<position]
    if word.contains(where: { $0 < Byte.space || $0 == 0x7F }) {
      throw CubeTextError(line: line, .binary)
    }
    return Self.shown(word)
  }

  /// What is left of the line without blanks at its ends and without a comment.
  mutating func restOfLine() -> String {
    skipBlanks()
    let start = position
    while position < bytes.count, !Self.endsLine(bytes[position]) { position += 1 }
    var end = position
    while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return Self.shown(bytes[start..<end])
  }

  /// The three numbers of a row, which fill the line.
  @inline(__always)
  mutating func row() throws(CubeTextError) -> SIMD4<Float> {
    let start = position
    if let red = number() {
      skipBlanks()
      if let green = number() {
        skipBlanks()
        if let blue = number() {
          skipBlanks()
          let row = SIMD4(red, green, blue, 0)
          if isAtLineEnd, Self.isWithinRange(row) { return row }
        }
      }
    }
    position = start
    throw rowProblem()
  }

  /// So many numbers, which fill the line; nil when there are more or fewer.
  mutating func numbers(_ count: Int) throws(CubeTextError) -> [Float]? {
    var numbers: [Float] = []
    while true {
      skipBlanks()
      if isAtLineEnd { return numbers.count == count ? numbers : nil }
      let start = position
      guard let number = number() else {
        skipWord()
        throw CubeTextError(line: line, .noNumber(Self.quoted(bytes[start..<position])))
      }
      if !Self.isWithinRange(SIMD4(repeating: number)) {
        throw CubeTextError(line: line, .tooLarge(Self.quoted(bytes[start..<position])))
      }
      numbers.append(number)
    }
  }

  /// Looks at a row that is wrong word by word.
  private mutating func rowProblem() -> CubeTextError {
    let first = position
    var count = 0
    while true {
      skipBlanks()
      if isAtLineEnd { return CubeTextError(line: line, .columns(count)) }
      let start = position
      let value = number()
      if value == nil {
        position = start
        skipWord()
      }
      let word = bytes[start..<position]
      if word.contains(0) { return CubeTextError(line: line, .binary) }
      guard let value else {
        let isWord = start == first && Self.isLetter(bytes[start]) && !Self.isNoNumber(word)
        let shown = Self.quoted(word)
        return CubeTextError(line: line, isWord ? .wordAmongRows(shown) : .noNumber(shown))
      }
      if !Self.isWithinRange(SIMD4(repeating: value)) {
        return CubeTextError(line: line, .tooLarge(Self.quoted(word)))
      }
      count += 1
    }
  }

  // MARK: Numbers

  /// A number in decimal notation up to a blank or the line's end; nil, somewhere in the word, if none.
  ///
  /// Rounded from a Double that is right to a few units in its last place.
  @inline(__always)
  private mutating func number() -> Float? {
    var digits = DecimalDigits()
    var isNegative = false
    if position < bytes.count, bytes[position] == Byte.minus || bytes[position] == Byte.plus {
      isNegative = bytes[position] == Byte.minus
      position += 1
    }
    while position < bytes.count {
      let digit = bytes[position] &- Byte.zero
      guard digit < 10 else { break }
      digits.append(digit)
      position += 1
    }
    if position < bytes.count, bytes[position] == Byte.point {
      position += 1
      while position < bytes.count {
        let digit = bytes[position] &- Byte.zero
        guard digit < 10 else { break }
        digits.appendFraction(digit)
        position += 1
      }
    }
    guard digits.count > 0 else { return nil }
    if position < bytes.count, bytes[position] | 0x20 == Byte.e {
      position += 1
      guard let exponent = exponent() else { return nil }
      digits.exponent += exponent
    }
    if position < bytes.count, !Self.isBlank(bytes[position]), !Self.endsLine(bytes[position]) {
      return nil
    }
    let value = digits.value
    return Float(isNegative ? -value : value)
  }

  private mutating func exponent() -> Int? {
    var isNegative = false
    if position < bytes.count, bytes[position] == Byte.minus || bytes[position] == Byte.plus {
      isNegative = bytes[position] == Byte.minus
      position += 1
    }
    let start = position
    var exponent = 0
    while position < bytes.count {
      let digit = bytes[position] &- Byte.zero
      guard digit < 10 else { break }
      exponent = min(exponent * 10 + Int(digit), 1_000_000)
      position += 1
    }
    return position > start ? (isNegative ? -exponent : exponent) : nil
  }

  // MARK: Bytes

  private var isAtLineEnd: Bool { position >= bytes.count || Self.endsLine(bytes[position]) }

  private mutating func skipBlanks() {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
  }

  private mutating func skipWord() {
    while position < bytes.count, !Self.isBlank(bytes[position]), !Self.endsLine(bytes[position]) {
      position += 1
    }
  }

  private mutating func skipToLineEnd() {
    while position < bytes.count, bytes[position] != Byte.newline,
      bytes[position] != Byte.carriageReturn
    {
      position += 1
    }
  }

  private mutating func passLineEnd() {
    let isPair =
      bytes[position] == Byte.carriageReturn && position + 1 < bytes.count
      && bytes[position + 1] == Byte.newline
    position += isPair ? 2 : 1
    line += 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == Byte.space || byte == Byte.tab }

  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == Byte.newline || byte == Byte.carriageReturn || byte == Byte.hash
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == Byte.underscore
  }

  private static func isNoNumber(_ word: ArraySlice<UInt8>) -> Bool {
    ["NAN", "INF", "INFINITY"].contains(String(decoding: word, as: UTF8.self).uppercased())
  }

  private static func isWithinRange(_ row: SIMD4<Float>) -> Bool {
    let farthest = Float(ColourTable.farthest)
    return row.max() <= farthest && row.min() >= -farthest
  }

  /// Safe to print and short.
  private static func shown(_ word: some Collection<UInt8>) -> String {
    DisplayText.escaped(Array(word.prefix(40))) + (word.count > 40 ? "…" : "")
  }

  static func quoted(_ word: some Collection<UInt8>) -> String { "\"\(shown(word))\"" }
}

private enum Byte {
  static let tab: UInt8 = 0x09
  static let newline: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let hash: UInt8 = 0x23
  static let plus: UInt8 = 0x2B
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let zero: UInt8 = 0x30
  static let nine: UInt8 = 0x39
  static let underscore: UInt8 = 0x5F
  static let e: UInt8 = 0x65
}
