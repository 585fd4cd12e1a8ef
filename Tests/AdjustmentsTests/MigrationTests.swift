import Adjustments
import JSONText
import RenderModel
import Testing

@Suite struct MigrationTests {
  private static let zeroNine = FormatVersion.oldest

  private func record(_ data: String, _ version: String) -> AdjustmentRecord {
    AdjustmentRecord(
      formatIdentifier: "org.minilab.adjustments", formatVersion: version, data: Array(data.utf8))
  }

  private func parsed(_ text: String) throws -> JSONValue {
    try JSONParser.parse(Array(text.utf8)[...]).value
  }

  /// Keys in order and values without their places; numbers by value.
  private func plain(_ value: JSONValue) -> String {
    switch value.kind {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(number.double ?? .nan)"
    case .string(let text): "\"\(text)\""
    case .array(let values): "[" + values.map(plain).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(plain($0.value))" }
        .joined(separator: ",") + "}"
    }
  }

  @Test("data of 0.9 becomes the data of 1.0 that was written by hand")
  func golden() throws {
    for pair in MigrationRecords.pairs {
      let migrated = try #require(
        AdjustmentDecoding.migrated(try parsed(pair.old), from: Self.zeroNine), "\(pair.old)")
      #expect(plain(migrated) == plain(try parsed(pair.new)))
    }
  }

  @Test("a record of 0.9 is rendered as its twin in 1.0", arguments: ["0.9", "0.90.0", "00.9"])
  func filters(version: String) throws {
    // A part behind a dot is a number: 0.90 is another version, newer than 0.9.
    let isOurs = FormatVersion(version) == Self.zeroNine
    #expect(isOurs == (version != "0.90.0"))
    for pair in MigrationRecords.pairs {
      let old = decode(pair.old, version: version)
      if isOurs {
        #expect(old == .filters(try steps(pair.new)))
      } else if case .unknownVersion = old {
      } else {
        Issue.record("\(old)")
      }
    }
  }

  @Test("a migrated record and its twin differ in version and digest, and in nothing else")
  func twins() throws {
    for pair in MigrationRecords.pairs {
      let (old, new) = (record(pair.old, "0.9"), record(pair.new, "1.0"))
      #expect(AdjustmentDecoding.decode(record: old) == AdjustmentDecoding.decode(record: new))
      #expect(old.digest != new.digest)
    }
  }

  @Test("data that is current already stays as it is, and an unknown version gives none")
  func others() throws {
    let text = #"{"filters": [{"filter": "exposure", "ev": 1}]}"#
    let value = try parsed(text)
    let same = try #require(AdjustmentDecoding.migrated(value, from: .current))
    #expect(plain(same) == plain(value))
    for version in ["0.1", "1.1", "0.95"] {
      let version = try #require(FormatVersion(version))
      #expect(AdjustmentDecoding.migrated(value, from: version) == nil)
    }
    #expect(AdjustmentDecoding.migrated(value, from: Self.zeroNine) == nil)
  }

  @Test("a format's versions are known in their order")
  func order() throws {
    #expect(FormatVersion("0.9") == Self.zeroNine)
    #expect(Self.zeroNine < .current)
    let (tenth, ninth) = (try #require(FormatVersion("1.10")), try #require(FormatVersion("1.9")))
    #expect(tenth > ninth)
  }

  typealias Case = AdjustmentProblemTests.Case
  static let mistakes: [Case] = [
    Case(#"{"filters": []}"#, "filters", #"there is no member "filters""#),
    Case(old(#""filter": "exposure""#), "adjustments[0]", "the member name"),
    Case(old(#""name": "exposre", "stops": 1"#), "adjustments[0].name", "did you mean exposure?"),
    Case(old(#""name": "hue", "degrees": 1"#), "adjustments[0].name", "known are exposure"),
    Case(
      old(#""name": "exposure", "stops": 1, "ev": 1"#), "adjustments[0].ev",
      "known are stops and name"),
    Case(old(#""name": "exposure", "stop": 1, "stops": 1"#), "adjustments[0].stop", "stops?"),
    Case(
      old(#""name": "exposure", "stops": 11"#), "adjustments[0].stops", "from -10 to 10, not 11"),
    Case(
      old(#""name": "contrast", "amount": 101"#), "adjustments[0].amount", "from -100 to 100"),
    Case(old(#""name": "contrast""#), "adjustments[0].amount", "missing"),
    Case(
      old(#""name": "contrast", "amount": 1, "pivot": 0.5"#), "adjustments[0].pivot",
      "no parameter"),
    Case(
      old(#""name": "exposure", "stops": 1, "opacity": 1"#), "adjustments[0].opacity",
      "no parameter"),
    Case(
      old(#""name": "exposure", "stops": 1, "version": 1"#), "adjustments[0].version",
      "no parameter"),
    Case(old(#""name": "crop", "rect": [0, 0, 1]"#), "adjustments[0].rect", "4 numbers"),
    Case(
      old(#""name": "crop", "rect": [0.5, 0, 0.6, 1]"#), "adjustments[0].rect", "not more than 1"),
    Case(old(#""name": "crop", "rect": [0, 0, 1, 0]"#), "adjustments[0].rect", "more than 0"),
  ]

  private static func old(_ members: String) -> String { #"{"adjustments": [{\#(members)}]}"# }

  @Test("0.9 is read as strictly, and its mistakes are named in its own words", arguments: mistakes)
  func strict(mistake: Case) throws {
    var problems: [AdjustmentProblem] = []
    if case .invalid(let found) = decode(mistake.text, version: "0.9") { problems = found }
    let problem = try #require(
      problems.first {
        $0.field == mistake.field && $0.message.contains(mistake.says)
      }, "\(problems)")
    #expect(mistake.text.utf8.count > problem.offset)
  }

  @Test("every value in range in 0.9 is in range in 1.0")
  func ranges() throws {
    let ends = [
      #""name": "exposure", "stops": -10"#, #""name": "exposure", "stops": 10"#,
      #""name": "crop", "rect": [0.3, 0.1, 0.7, 0.9]"#,
      #""name": "crop", "rect": [0.1, 0.2, 0.9, 0.8]"#,
    ]
    for members in ends { #expect(isDecoded(Self.old(members))) }
    for name in ["contrast", "saturation", "brightness"] {
      for percent in -100...100 {
        #expect(isDecoded(Self.old(#""name": "\#(name)", "amount": \#(percent)"#)))
      }
    }
  }

  private func isDecoded(_ text: String) -> Bool {
    if case .filters = decode(text, version: "0.9") { true } else { false }
  }
}
