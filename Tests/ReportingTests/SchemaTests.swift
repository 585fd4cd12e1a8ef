import JSONText
import RenderModel
import Testing

@testable import Reporting

@Suite struct SchemaTests {
  private func fullSummary() -> RunSummary {
    var full = summary(
      failures: [
        .init(
          job: "a", asset: "a.jpg", state: "failed", code: "truncated", stage: "decode",
          detail: "cut off")
      ], { $0.planned = 3 })
    full.engineDiffers = 3
    full.manifests = [full.manifest, .init(path: "more.json", sha256: nil)]
    return full
  }

  private var reading: ProgressReading {
    ProgressReading(
      elapsed: 1.23456, planned: 10, finished: 5, failures: 1, fraction: 0.5, megapixels: 60,
      jobsPerSecond: 4, megapixelsPerSecond: 48, eta: 1)
  }

  /// A value and the checksum that a journal adds.
  private func journalled(_ report: JobReport) throws -> String {
    try ReportText.line(report).dropLast() + ",\"checksum\":\"0123abcd\"}"
  }

  @Test("a report that says everything has every key of the schema and no other")
  func reports() throws {
    var validator = SchemaValidator()
    #expect(try validator.validate(journalled(fullReport()), "job-report.schema.json") == [])
    #expect(try validator.visited == validator.properties("job-report.schema.json"))
  }

  @Test("a summary that says everything has every key of the schema and no other")
  func summaries() throws {
    var validator = SchemaValidator()
    let json = try ReportText.pretty(fullSummary())
    #expect(try validator.validate(json, "run-summary.schema.json") == [])
    #expect(try validator.visited == validator.properties("run-summary.schema.json"))
  }

  @Test("a progress line has every key of the schema and no other")
  func progress() throws {
    var validator = SchemaValidator()
    let json = try ReportText.line(ProgressRecord(run: runName, reading))
    #expect(try validator.validate(json, "progress.schema.json") == [])
    #expect(try validator.visited == validator.properties("progress.schema.json"))
  }

  @Test("what a value always has is what the schema requires")
  func required() throws {
    var validator = SchemaValidator()
    var bareReading = reading
    bareReading.eta = nil
    let samples: [(String, String)] = [
      (try ReportText.line(report(.failed)), "job-report.schema.json"),
      (try ReportText.line(summary { _ in }), "run-summary.schema.json"),
      (try ReportText.line(ProgressRecord(run: runName, bareReading)), "progress.schema.json"),
    ]
    for (json, file) in samples {
      #expect(try validator.validate(json, file) == [])
      let keys = try JSONParser.parse(Array(json.utf8)).value.object?.map(\.key)
      let required = try validator.document(file)["required"]?.array?.compactMap(\.string)
      #expect(Set(keys ?? []) == Set(required ?? ["none"]))
    }
  }

  @Test("the schema knows every state, stage and exit status of the program")
  func enumerations() throws {
    var validator = SchemaValidator()
    let outcome = try validator.document("job-report.schema.json")["properties"]?["outcome"]?[
      "properties"]
    #expect(
      outcome?["state"]?["enum"]?.array?.compactMap(\.string)
        == OutcomeState.allCases.map(\.rawValue))
    #expect(
      outcome?["stage"]?["enum"]?.array?.compactMap(\.string)
        == RenderStage.allCases.map(\.rawValue))
    let status = try validator.document("run-summary.schema.json")["properties"]?["exitStatus"]
    #expect(
      status?["enum"]?.array?.compactMap { $0.number?.integer }
        == RenderModel.ExitStatus.allCases.map { Int($0.rawValue) })
  }

  @Test("the page about reports names every outcome, failure reason and exit status")
  func page() throws {
    let page = try documentText("reports.md")
    for state in OutcomeState.allCases { #expect(page.contains("| `\(state.rawValue)` | ")) }
    for status in RenderModel.ExitStatus.allCases {
      #expect(page.contains("| \(status.rawValue) | \(status.meaning) |\n"))
    }
    for code in FailureCode.allCases { #expect(page.contains("| `\(code.rawValue)` | ")) }
    for code in KeptCode.allCases { #expect(page.contains("`\(code.rawValue)`")) }
  }

  @Test(
    "the schema refuses what no report says",
    arguments: [
      ("\"kind\":\"report\"", "\"kind\":\"rapport\""),
      ("\"attempt\":1", "\"attempt\":\"1\""),
      ("\"attempt\":1", "\"attempt\":1.5"),
      ("\"attempt\":1,", ""),
      ("\"attempt\":1", "\"attempt\":-1"),
      ("\"orientation\":6", "\"orientation\":9"),
      ("\"state\":\"degraded\"", "\"state\":\"good\""),
      ("\"alpha\"", "7"),
      ("\"reason\":\"filterChanged(exposure, 1, 2)\"", "\"reason\":\"mood\""),
      ("\"losses\"", "\"looses\""),
      ("\"bytes\":7", "\"bytes\":-7"),
    ])
  func refused(good: String, bad: String) throws {
    let json = try journalled(fullReport())
    let changed = json.replacing(good, with: bad)
    #expect(changed != json)
    var validator = SchemaValidator()
    #expect(try !validator.validate(changed, "job-report.schema.json").isEmpty)
  }
}
