import ColourEngine
import Testing

@Suite struct CubeTextErrorTests {
  typealias Reason = CubeTextError.Reason

  static let cube = "LUT_3D_SIZE 2\n"
  static let seven = String(repeating: "0 0 0\n", count: 7)

  static let cases: [(String, Int, Reason)] = [
    ("", 1, .noSize(unknown: nil)),
    ("# nothing\n\n", 3, .noSize(unknown: nil)),
    ("TITLE \"x\"\n0 0 0\n", 2, .noSize(unknown: nil)),
    ("LUT_3D_SIZ 2\n0 0 0\n", 2, .noSize(unknown: "LUT_3D_SIZ")),
    ("LUT_3D_SIZE\n", 1, .size("LUT_3D_SIZE", shown: "\"\"", 2...144)),
    ("\nLUT_3D_SIZE 1\n", 2, .size("LUT_3D_SIZE", shown: "\"1\"", 2...144)),
    ("LUT_3D_SIZE 256\n", 1, .size("LUT_3D_SIZE", shown: "\"256\"", 2...144)),
    ("LUT_3D_SIZE 2.5\n", 1, .size("LUT_3D_SIZE", shown: "\"2.5\"", 2...144)),
    ("LUT_3D_SIZE 2 2\n", 1, .size("LUT_3D_SIZE", shown: "\"2 2\"", 2...144)),
    (
      "LUT_3D_SIZE 99999999999999999999\n", 1,
      .size("LUT_3D_SIZE", shown: "\"99999999999999999999\"", 2...144)
    ),
    ("LUT_1D_SIZE 65537\n", 1, .size("LUT_1D_SIZE", shown: "\"65537\"", 2...65_536)),
    (cube + "\nLUT_3D_SIZE 2\n", 3, .repeated("LUT_3D_SIZE", firstLine: 1)),
    ("DOMAIN_MIN 0 0 0\n" + cube + "DOMAIN_MIN 0 0 0", 3, .repeated("DOMAIN_MIN", firstLine: 1)),
    (cube + "DOMAIN_MIN 0 0\n", 2, .numbers("DOMAIN_MIN", 3)),
    (cube + "DOMAIN_MAX 1 1 1 1\n", 2, .numbers("DOMAIN_MAX", 3)),
    (cube + "LUT_3D_INPUT_RANGE 1\n", 2, .numbers("LUT_3D_INPUT_RANGE", 2)),
    (cube + "DOMAIN_MAX 1 x 1\n", 2, .noNumber("\"x\"")),
    (cube + "DOMAIN_MAX 1 nan 1\n", 2, .noNumber("\"nan\"")),
    (cube + "DOMAIN_MAX 1 1e9 1\n", 2, .tooLarge("\"1e9\"")),
    (cube + "DOMAIN_MIN 0 1 0\n", 2, .emptyDomain("DOMAIN_MIN")),
    (cube + "DOMAIN_MAX 1 1 -1\n", 2, .emptyDomain("DOMAIN_MAX")),
    (cube + "LUT_3D_INPUT_RANGE 1 1\n", 2, .emptyDomain("LUT_3D_INPUT_RANGE")),
    (
      cube + "DOMAIN_MAX 1 1 1\nLUT_3D_INPUT_RANGE 0 1\n", 3,
      .twoDomains("DOMAIN_MAX", "LUT_3D_INPUT_RANGE")
    ),
    (cube + "LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 0\n", 3, .domainOfTwo("DOMAIN_MIN")),
    (
      cube + "LUT_1D_INPUT_RANGE 0 1\n", 2,
      .rangeWithoutSize("LUT_1D_INPUT_RANGE", size: "LUT_1D_SIZE")
    ),
    (cube + "LUT_IN_VIDEO_RANGE\n", 2, .videoRange("LUT_IN_VIDEO_RANGE")),
    (cube + "0 0 0\nTITLE \"late\"\n", 3, .wordAmongRows("\"TITLE\"")),
    (cube + seven + "0 0\n", 9, .columns(2)),
    (cube + "0 0 0 0\n" + seven, 2, .columns(4)),
    (cube + "0\n", 2, .columns(1)),
    (cube + "0 0 0\n0 nan 0\n", 3, .noNumber("\"nan\"")),
    (cube + "nan 0 0\n", 2, .noNumber("nan")),
    (cube + "0 0 0\nnan 0 0\n", 3, .noNumber("\"nan\"")),
    (cube + "0 0 0\n0 -inf 0\n", 3, .noNumber("\"-inf\"")),
    (cube + "0,5 0 0\n", 2, .noNumber("\"0,5\"")),
    (cube + "0.1, 0.2, 0.3\n", 2, .noNumber("\"0.1,\"")),
    (cube + "0.1.2 0 0\n", 2, .noNumber("\"0.1.2\"")),
    (cube + "1e 0 0\n", 2, .noNumber("\"1e\"")),
    (cube + ". 0 0\n", 2, .noNumber("\".\"")),
    (cube + "+ 0 0\n", 2, .noNumber("\"+\"")),
    (cube + "0 0 1e9\n", 2, .tooLarge("\"1e9\"")),
    (cube + "0 0 1e999999999999\n", 2, .tooLarge("\"1e999999999999\"")),
    (cube + "0 0 -65537\n", 2, .tooLarge("\"-65537\"")),
    (cube + seven, 9, .missingRows(7, of: 8)),
    (cube + "LUT_1D_SIZE 3\n" + seven, 10, .missingRows(7, of: 11)),
    (cube + seven + "0 0 0\n\n1 1 1\n", 11, .tooManyRows(8)),
    (cube + seven + "0 0 0\nend\n", 10, .wordAmongRows("\"end\"")),
    (cube + "0 0 0\n0 \0 0\n", 3, .binary),
    ("\u{1}\u{2}\n", 1, .binary),
  ]

  @Test("what is wrong is named with its line", arguments: cases)
  func wrong(text: String, line: Int, reason: Reason) {
    for ends in ["\n", "\r\n", "\r"] {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let error = #expect(throws: CubeTextError.self) {
        try LutTables.table(lines.joined(separator: ends))
      }
      #expect(error == CubeTextError(line: line, reason))
    }
  }

  @Test(
    "UTF-16 is named", arguments: [[0xFF, 0xFE, 0x4C, 0], [0xFE, 0xFF, 0, 0x4C]] as [[UInt8]])
  func utf16(bytes: [UInt8]) {
    let error = #expect(throws: CubeTextError.self) { try ColourTable(cubeText: bytes) }
    #expect(error == CubeTextError(line: 1, .utf16))
  }

  @Test("a message says what would be right")
  func texts() {
    func text(_ reason: Reason) -> String { CubeTextError(line: 1, reason).text }
    #expect(text(.missingRows(7, of: 8)) == "the file ends after 7 of 8 rows")
    #expect(
      text(.size("LUT_3D_SIZE", shown: "\"1\"", 2...144))
        == "LUT_3D_SIZE must be one whole number from 2 to 144, not \"1\"")
    #expect(
      text(.noSize(unknown: "LUT_3D_SIZ"))
        == "LUT_1D_SIZE or LUT_3D_SIZE must come before the first row; "
        + "LUT_3D_SIZ is no keyword of a .cube file")
    for (_, _, reason) in Self.cases { #expect(text(reason).utf8.count > 20) }
  }

  @Test("bytes of any kind never do more than fail")
  func noise() {
    var random = SteadyNumbers(state: 5)
    let pieces = [
      "LUT_3D_SIZE 2", "LUT_1D_SIZE 3", "\n", "\r", " ", "0.5", "-1e-3", "#", "DOMAIN_MIN", "\0",
      "e", "+", "1e", ".", "9999999999999999999999", "é", "TITLE", "\t", "nan",
    ]
    var read = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      if (try? LutTables.table(text)) != nil { read += 1 }
    }
    #expect(read < 20_000)
  }
}
