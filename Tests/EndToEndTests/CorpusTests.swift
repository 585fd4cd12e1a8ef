import JSONText
import RenderModel
import SystemSupport
import Testing

/// Every file that real libraries and hostile ones hold, in one run.
@Suite("Corpus", .enabled(if: Corpus.isThere))
struct CorpusTests {
  @Test("every file of the corpus has exactly one outcome with a reason a person understands")
  func everything() throws {
    let scene = try RenderScene()
    let files = try Corpus.files()
    try scene.write(
      jobs: files.enumerated().map { index, path in
        let asset =
          String(validating: path, as: UTF8.self).map { "\"asset\": \(JSONEscaping.literal($0))" }
          ?? "\"assetBytes\": \"\(Base64.encode(path))\""
        return "{\"id\": \"\(index)\", \(asset), \"output\": \"\(index).{extension}\"}"
      },
      defaults: """
        {"deadline": "60s",
         "renditions": [{"name": "large", "type": "public.jpeg", "targetSize": [2048, 2048]}]}
        """)
    let end = try scene.start(["--library", try #require(Corpus.path)]).wait(seconds: 500)
    #expect(end.exitStatus == 3, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.reportCounts.count == files.count)
    #expect(run.reportCounts.values.allSatisfy { $0 == 1 })
    #expect(try scene.temporaries() == [])
    #expect(try scene.outputsNotAsReported() == [])
    var tally: [String: Int] = [:]
    for (index, path) in files.enumerated() {
      let report = try #require(run.reports["\(index)"])
      let outcome = report.outcome ?? "none"
      tally[outcome, default: 0] += 1
      if outcome == "rendered" {
        #expect(try scene.folder.status("out/\(index).jpg")?.size ?? 0 > 100)
        continue
      }
      let name = DisplayText.escaped(path)
      #expect((report.detail ?? "").split(separator: " ").count >= 3, "\(name): \(outcome)")
      #expect(outcome != "failed(internal)", "\(name): \(report.detail ?? "")")
      #expect(outcome != "failed(policyViolation)", "\(name): \(report.detail ?? "")")
      #expect(outcome != "failed(crashed)", "\(name): \(report.detail ?? "")")
    }
    for (outcome, count) in tally.sorted(by: { $0.key < $1.key }) {
      print("corpus: \(count) \(outcome)")
    }
    #expect(tally["rendered", default: 0] > files.count / 2)
  }
}

@Suite("Corpus that is not there", .disabled(if: Corpus.isThere))
struct CorpusSkippedTests {
  @Test("says aloud that it was skipped")
  func skipped() { print("skipped: no corpus") }
}
