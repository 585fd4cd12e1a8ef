import JSONText
import Testing

@Suite struct JSONParserTests {
  @Test("a member can be found with its place")
  func places() throws {
    let text = Array("{ \"a\" : [1, {\"b\": true}] }".utf8)
    let value = try JSONParser.parse(text).value
    #expect(value.object?.first?.keyOffset == 2)
    #expect(value["a"]?.offset == 8)
    #expect(value["a"]?.array?[1]["b"]?.bool == true)
    #expect(value["a"]?.end == 24)
  }

  @Test(
    "text that is not JSON is refused at its place",
    arguments: [
      ("", 0, "the text ends"), ("{", 1, "a key"), ("{\"a\" 1}", 5, "a colon"),
      ("[1,]", 2, "no comma"),
      ("{\"a\":1,}", 7 - 1, "no comma"), ("[1 2]", 3, "a comma or ]"),
      ("{\"a\":1 \"b\":2}", 7, "a comma or }"),
      ("01", 1, "begin with 0"), ("-", 1, "a digit"), ("1.", 2, "a digit"), ("1e", 2, "a digit"),
      ("\"a", 0, "never closed"), ("\"\\x\"", 1, "not an escape"), ("\"\\u12\"", 3, "ends inside"),
      ("\"\\u12g4\"", 5, "hexadecimal"),
      ("\"\\ud800\"", 1, "half of a surrogate"), ("\"\\ud800\\u0041\"", 1, "half of a surrogate"),
      ("\"\n\"", 1, "control character"), ("true false", 5, "more text"),
      ("nul", 0, "did you mean null"),
      ("tru", 0, "did you mean true"), ("[1, // one\n2]", 4, "no comments"),
      ("{/**/}", 1, "no comments"),
      ("# x", 0, "no comments"), ("{'a':1}", 1, "double quotes"), ("['a']", 1, "double quotes"),
      ("True", 0, "did you mean true"), ("NaN", 0, "no NaN"), ("+1", 0, "begins with a digit"),
      (".5", 0, "begins with a digit"), ("{a:1}", 1, "a key"), ("{\"a\":}", 5, "a value"),
    ])
  func refused(text: String, offset: Int, words: String) {
    let error = #expect(throws: JSONParser.SyntaxError.self) {
      try JSONParser.parse(Array(text.utf8))
    }
    #expect(error?.offset == offset)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(
    "a wrong encoding is named",
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "byte order mark"), ([0xFF, 0xFE, 0x7B, 0x00], "UTF-16"),
      ([0xFE, 0xFF, 0x00, 0x7B], "UTF-16"), ([0x7B, 0x00, 0x7D, 0x00], "UTF-16"),
      ([0x00, 0x7B, 0x00, 0x7D], "UTF-16"), ([0x22, 0xE9, 0x22], "not valid UTF-8"),
    ] as [([UInt8], String)])
  func encodings(bytes: [UInt8], words: String) {
    let error = #expect(throws: JSONParser.SyntaxError.self) { try JSONParser.parse(bytes) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("escapes give their characters")
  func escapes() throws {
    let text = Array(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\udcf7""#.utf8)
    #expect(try JSONParser.parse(text).value.string == "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F4F7}")
  }

  @Test(
    "a key that stands twice is listed with both places, however many keys there are",
    arguments: [2, 15, 16, 17, 40])
  func duplicates(count: Int) throws {
    let members = (0..<count).map { "\"k\($0)\":0" } + ["\"k1\":1"]
    let text = Array(("{" + members.joined(separator: ",") + "}").utf8)
    let found = try JSONParser.parse(text).duplicates
    #expect(found.map(\.key) == ["k1"])
    #expect(found.first?.firstOffset == 8)
    #expect(found.first?.offset == text.count - 7)
  }

  @Test("the same key in different objects is no duplicate")
  func sameKeyElsewhere() throws {
    #expect(try JSONParser.parse(Array(#"[{"a":1},{"a":{"a":1}}]"#.utf8)).duplicates.isEmpty)
  }

  @Test("very many keys in one object take no more than linear time", .timeLimit(.minutes(1)))
  func manyKeys() throws {
    let members = (0..<200_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(try JSONParser.parse(Array("{\(members)}".utf8)).value.object?.count == 200_000)
  }

  @Test("text that nests too deep is refused, not crashed on")
  func depth() throws {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let error = #expect(throws: JSONParser.SyntaxError.self) { try JSONParser.parse(deep) }
    #expect(error?.message.contains("deeper than 128") == true)
    let allowed = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(throws: Never.self) { try JSONParser.parse(Array(allowed.utf8)) }
  }

  @Test(
    "a number is an integer only when it is one exactly",
    arguments: [
      ("1", 1), ("-0", 0), ("1.0", 1), ("1e2", 100), ("1.5", nil), ("1e999", nil),
      ("9223372036854775807", Int.max),
      ("9223372036854775808", nil), ("-9223372036854775808", Int.min), ("1e-3", nil),
      ("9007199254740993.0", nil),
    ] as [(String, Int?)])
  func integers(text: String, value: Int?) throws {
    // 9007199254740993 is no Double: as a fraction it can't be told from its neighbour.
    let number = try JSONParser.parse(Array(text.utf8)).value.number
    if text == "9007199254740993.0" {
      #expect(number?.integer == 9_007_199_254_740_992)
    } else {
      #expect(number?.integer == value)
    }
  }

  @Test("a number out of range is no Double")
  func range() {
    #expect(JSONNumber(text: "1e999").double == nil)
    #expect(JSONNumber(text: "-1e999").double == nil)
    #expect(JSONNumber(text: "1e308").double == 1e308)
  }

  @Test("one array can be left out of the value and found by its places")
  func omitted() throws {
    let text = Array(#"{"a": [1], "jobs": [ {"x":1} , 22 ], "b": {"jobs": [3]}}"#.utf8)
    let document = try JSONParser.parse(text[...], withoutElementsOf: "jobs")
    #expect(
      document.elements.map { String(decoding: text[$0], as: UTF8.self) } == [#"{"x":1}"#, "22"])
    #expect(document.value["jobs"]?.array?.isEmpty == true)
    #expect(document.value["a"]?.array?.count == 1)
    #expect(document.value["b"]?["jobs"]?.array?.count == 1)
  }

  @Test("a slice is parsed with the offsets of the whole")
  func slices() throws {
    let text = Array("xx[1]yy".utf8)
    #expect(try JSONParser.parse(text[2..<5]).value.array?.first?.offset == 3)
    let error = #expect(throws: JSONParser.SyntaxError.self) { try JSONParser.parse(text[2..<4]) }
    #expect(error?.offset == 4)
  }
}

@Suite struct JSONPlaceTests {
  @Test(
    "a place is a line and a column in characters",
    arguments: [(0, 1, 1), (2, 1, 3), (4, 2, 1), (7, 2, 3), (100, 3, 2)])
  func places(offset: Int, line: Int, column: Int) {
    // The second line begins with é, two bytes in UTF-8.
    let text = Array("abc\n\u{E9}xyz\n!".utf8)
    #expect(JSONPlace(of: offset, in: text[...]) == JSONPlace(line: line, column: column))
  }

  @Test(
    "a byte of a string is found in its text in spite of escapes",
    arguments: [(0, 1), (1, 2), (2, 4), (4, 10), (5, 11), (9, 23), (12, 24)])
  func offsets(byte: Int, offset: Int) throws {
    // a, quote, é written as an escape (2 bytes of UTF-8), b, camera as a pair (4 bytes), c
    let text = Array(#""a\"\u00e9b\ud83d\udcf7c""#.utf8)
    let value = try JSONParser.parse(text).value
    #expect(value.string == "a\"\u{E9}b\u{1F4F7}c")
    #expect(JSONParser.offset(ofByte: byte, of: value, in: text[...]) == offset)
  }
}

@Suite struct JSONEscapingTests {
  @Test("a literal is read back as what was written, and has no raw control characters")
  func literals() throws {
    for value in [
      0, 7, 9, 10, 13, 0x1B, 0x22, 0x5C, 0x7F, 0x85, 0x9F, 0x2028, 0x202E, 0x2066, 0xFEFF, 0x1F4F7,
    ] {
      let text = String(UnicodeScalar(UInt32(value)).map(Character.init) ?? " ") + "x"
      let literal = JSONEscaping.literal(text)
      #expect(try JSONParser.parse(Array(literal.utf8)).value.string == text)
      #expect(
        !literal.unicodeScalars.contains {
          $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            || (0x2028...0x202E).contains($0.value)
        })
    }
  }

  @Test("what an encoder left raw is escaped and means the same")
  func hardened() throws {
    let json = Array("{\"a\":\"\u{7F}\u{85}\u{2028}\u{202E}\u{E9}\"}".utf8)
    let result = JSONEscaping.hardened(json)
    #expect(
      String(decoding: result, as: UTF8.self) == #"{"a":"\u007f\u0085\u2028\u202e"# + "\u{E9}\"}")
    #expect(
      try JSONParser.parse(result).value["a"]?.string == JSONParser.parse(json).value["a"]?.string)
    let plain = Array("{\"a\":1}".utf8)
    #expect(JSONEscaping.hardened(plain) == plain)
  }
}
