import Testing

@testable import CommandLineInterface

@Suite("Times and sizes as text")
struct QuantityTextTests {
  @Test(
    "a time is read",
    arguments: [
      ("30s", 30_000), ("1.5m", 90_000), ("500ms", 500), ("2h", 7_200_000), ("10", 10_000),
      ("0.5", 500), ("720h", 2_592_000_000),
    ])
  func times(text: String, milliseconds: Int) {
    #expect(ValueForm<Int>.duration(from: 1).read(Argument(text)) == milliseconds)
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "s", "0", "0s", "-1s", "1d", "30 s", "1e3s", "1..5s", ".s", "721h", "0.4ms", "30S", "nan",
      "9999999999999999999h",
    ])
  func wrongTimes(text: String) {
    #expect(ValueForm<Int>.duration(from: 1).read(Argument(text)) == nil)
  }

  @Test("a drain of nothing is a time, a deadline of nothing is not")
  func nothing() {
    #expect(RenderFlags.drain.form.read("0s") == 0)
    #expect(RenderFlags.deadline.form.read("0s") == nil)
  }

  @Test(
    "a size is read; plain letters and -iB count by 1024, -B by 1000",
    arguments: [
      ("1500000", 1_500_000), ("1K", 1024), ("512M", 536_870_912), ("1.5GiB", 1_610_612_736),
      ("2GB", 2_000_000_000), ("2kb", 2000), ("1T", 1_099_511_627_776), ("10B", 10),
    ])
  func sizes(text: String, bytes: Int) {
    #expect(SizeText.bytes(text) == bytes)
  }

  @Test(
    "what is no size is refused",
    arguments: ["", "M", "0", "-1M", "1X", "1MiX", "1M2K", "1 M", "99999999T", "1e9", "½G", "²"])
  func wrongSizes(text: String) {
    #expect(SizeText.bytes(text) == nil)
  }

  @Test(
    "which failures count is read",
    arguments: [
      ("any", .any), ("new", .new), ("none", .none), ("5%", .percentage(5)),
      ("0.5%", .percentage(0.5)), ("100%", .percentage(100)), ("0%", .percentage(0)),
    ] as [(String, RenderOptions.FailureRule)])
  func failureRules(text: String, rule: RenderOptions.FailureRule) throws {
    let read = ValueForm<RenderOptions.FailureRule>.failureRule().read(Argument(text))
    #expect(try #require(read) == rule)
  }

  @Test(
    "what is no failure rule is refused",
    arguments: ["", "%", "5", "101%", "-1%", "nan%", "1e1%", "all"])
  func wrongFailureRules(text: String) {
    let read = ValueForm<RenderOptions.FailureRule>.failureRule().read(Argument(text))
    #expect(read == nil)
  }
}
