import Adjustments
import RenderModel
import Testing

@Suite struct RecordDigestTests {
  private func digest(_ data: String) -> String {
    let record = AdjustmentRecord(
      formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0", data: Array(data.utf8))
    return "\(record.digest)"
  }

  @Test(
    "numbers that are equal are the same however they are written",
    arguments: [
      ("1", "1.0"), ("1", "1e0"), ("1", "10E-1"), ("0", "-0"), ("0", "-0.0"), ("0.1", "0.10"),
      ("0.1", "1e-1"), ("100", "1e2"), ("-0.5", "-5e-1"), ("1e21", "1000000000000000000000"),
      ("0.1", "0.1000000000000000055"),
    ])
  func numbers(one: String, other: String) {
    #expect(digest("{\"filters\":[\(one)]}") == digest("{\"filters\":[\(other)]}"))
  }

  @Test(
    "numbers that differ differ",
    arguments: [("1", "-1"), ("0.1", "0.10000000000000002"), ("1", "\"1\""), ("0", "false")])
  func otherNumbers(one: String, other: String) {
    #expect(digest("{\"filters\":[\(one)]}") != digest("{\"filters\":[\(other)]}"))
  }

  @Test("the order of members and the spelling of strings do not count, that of filters does")
  func order() {
    #expect(
      digest(#"{"filters":[{"filter":"exposure","ev":1,"opacity":0.5}]}"#)
        == digest(#"{"filters": [{"opacity": 5e-1, "\u0065v": 1.0, "filter": "exposur\u0065"}]}"#))
    #expect(
      digest(
        masked(#"{"mask": "bitmap", "path": "a.png", "feather": 0.1}"#)
      ) == digest(masked(#"{"feather": 0.10, "path": "a.png", "mask": "bitmap"}"#)))
    #expect(
      digest(#"{"filters":[{"filter":"a"},{"filter":"b"}]}"#)
        != digest(#"{"filters":[{"filter":"b"},{"filter":"a"}]}"#))
  }

  @Test("what a default leaves out is still left out")
  func defaults() throws {
    let short = one(#""filter": "exposure", "ev": 1"#)
    let long = one(#""filter": "exposure", "ev": 1, "opacity": 1, "version": 1"#)
    #expect(try steps(short) == steps(long))
    #expect(digest(short) != digest(long))
  }

  @Test("the digest is that of a published canonical form")
  func published() {
    // sha256sum of {"filters":[{"ev":0.5,"filter":"exposure","opacity":1e-7}]}
    #expect(
      digest(#"{"filters": [{"filter": "exposure", "ev": 0.50, "opacity": 0.0000001}]}"#)
        == "5ad8e61fb5c9162c2a1abd422080c41e12da8d02ac16cc2ea499d886385e2922")
  }
}
