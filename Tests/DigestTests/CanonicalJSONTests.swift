import Digest
import JSONText
import Testing

@Suite struct CanonicalJSONTests {
  private func canonical(_ text: String) throws -> String {
    let document = try JSONParser.parse(Array(text.utf8))
    return String(decoding: CanonicalJSON.encode(document.value), as: UTF8.self)
  }

  @Test("the example of RFC 8785, section 3.2.2, comes out byte for byte")
  func primitives() throws {
    let text = #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#
    let expected =
      #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
      + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    #expect(try canonical(text) == expected)
  }

  @Test("keys are sorted as in RFC 8785, section 3.2.3, by UTF-16 units")
  func sorting() throws {
    let text = #"""
      {
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"
      }
      """#
    let document = try JSONParser.parse(
      CanonicalJSON.encode(JSONParser.parse(Array(text.utf8)).value))
    #expect(
      document.value.object?.compactMap(\.value.string) == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
        "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
      ])
  }

  /// RFC 8785, appendix B: the bits of a double and how ECMAScript writes it.
  static let numbers: [(UInt64, String)] = [
    (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"), (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
  ]

  @Test("numbers are written as RFC 8785, appendix B, lists them", arguments: numbers)
  func written(bits: UInt64, text: String) {
    #expect(CanonicalJSON.number(Double(bitPattern: bits)) == text)
  }

  @Test("different spellings of one value become the same bytes")
  func spellings() throws {
    let one = try canonical(#"{ "b" : 1.0, "a" : [ 1e0, "\u0041" ] }"#)
    #expect(one == #"{"a":[1,"A"],"b":1}"#)
    #expect(try canonical(#"{"a":[1,"A"],"b":10e-1}"#) == one)
  }

  @Test("a number beyond every Double and a key given twice are kept, not lost")
  func kept() throws {
    #expect(try canonical(#"{"a":1e999,"a":2}"#) == #"{"a":1e999,"a":2}"#)
    #expect(try canonical(#"["\b\f\t\u001f\u007f"]"#) == "[\"\\b\\f\\t\\u001f\u{7f}\"]")
  }
}
