import Testing

@Suite("Rules for every source file")
struct SourceRuleTests {
  @Test("files are short, have no traps, nothing left to do and no path of one machine")
  func sources() throws {
    let files = try Repository.sources(withExtension: "swift", "c", "h")
    #expect(files.count > 20)
    #expect(
      try files.flatMap { SourceText.violations(in: try Repository.text($0), name: $0) } == [])
  }

  @Test("what is linked into the worker uses no concurrency of Swift's")
  func concurrency() throws {
    let files = try Repository.sources(withExtension: "swift")
      .filter { Walls.inWorker.contains(String($0.split(separator: "/")[1])) }
    #expect(files.count > 10)
    #expect(
      try files.flatMap { SourceText.concurrency(in: try Repository.text($0), name: $0) } == [])
  }

  @Test(
    "concurrency is recognised, and words about it are not",
    arguments: [
      ("func a() async -> Int", true), ("let a = await b()", true), ("Task { }", true),
      ("actor A {", true), ("// a task that is awaited async", false), ("let Tasks = 1", false),
      ("print(\"await\")", false), ("let factor = 2", false),
    ])
  func concurrencyControl(text: String, isFound: Bool) {
    #expect(SourceText.concurrency(in: text, name: "F.swift").isEmpty != isFound)
  }

  @Test("tests are short and name no path of one machine")
  func tests() throws {
    let files = try Repository.files(beneath: "Tests", withExtension: "swift")
    let found = try files.flatMap { path in
      SourceText.violations(in: try Repository.text(path), name: path)
        .filter { !$0.hasSuffix("a trap that input might reach") }
    }
    #expect(found == [])
  }

  /// Breaches, with `~` inside each word so that this file breaks no rule.
  static let breaches = [
    ("fatal~Error(1)", "F.swift:1: a trap that input might reach"),
    ("let a = try~! b()", "F.swift:1: a trap that input might reach"),
    ("let a = b as~! C", "F.swift:1: a trap that input might reach"),
    ("// TO~DO later", "F.swift:1: something left to do"),
    ("one\n\"/wo~rk/main\"", "F.swift:2: a path of one machine"),
  ]

  @Test("a made-up breach is found", arguments: breaches)
  func positiveControl(text: String, expected: String) {
    #expect(SourceText.violations(in: text.filter { $0 != "~" }, name: "F.swift") == [expected])
  }

  @Test("a file that is too long is found")
  func tooLong() {
    let text = String(repeating: "a\n", count: 501)
    #expect(
      SourceText.violations(in: text, name: "F.swift") == [
        "F.swift has 501 lines, more than 500"
      ])
  }

  @Test("good code breaks no rule")
  func negativeControl() {
    let text = String(repeating: "let a = try? b() as? C\n", count: 500)
    #expect(SourceText.violations(in: text, name: "F.swift") == [])
  }
}
