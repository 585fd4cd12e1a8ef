import JSONText
import RenderModel
import Testing

@testable import Reporting

/// The lines of the commands that look after a library.
@Suite("Lines of audits")
struct AuditLineTests {
  private static let odd = RelativePath(bytes: [0x61, 0xFF])

  private func verification() -> VerificationSummary {
    var summary = VerificationSummary(started: "2026-01-31T12:00:00Z", quick: true, sample: 5)
    summary.count(
      AuditFinding(
        .outputDamaged, job: "a", rendition: "r", path: RelativePath("a"), detail: "d",
        isSilent: true))
    summary.end(at: "2026-01-31T12:00:01Z", interrupted: false)
    return summary
  }

  private func adoption() -> AdoptionSummary {
    var summary = AdoptionSummary(started: "2026-01-31T12:00:00Z", dryRun: false, jobs: 3)
    summary.run = runName
    summary.refused = ["wrongSize": 1]
    summary.end(at: "2026-01-31T12:00:01Z", interrupted: true)
    return summary
  }

  private func orphans() -> OrphanSummary {
    var summary = OrphanSummary(known: 9, pruned: true)
    summary.run = runName
    summary.count(RelativePath("a/1"), 1500)
    summary.count(RelativePath("a/2"), 500)
    summary.count(RelativePath(bytes: [0xFF, 0x2F, 0x61]), 1)
    summary.count(
      OrphanLine(.failed, job: "a", rendition: nil, path: Self.odd, bytes: 1, detail: "d"))
    summary.end()
    return summary
  }

  @Test("what says everything has every key of its schema and no other")
  func schemas() throws {
    func finding(_ path: RelativePath) -> AuditFinding {
      AuditFinding(
        .outputDamaged, job: "a", rendition: "r", path: path, detail: "d", isSilent: true)
    }
    func remark(_ path: RelativePath) -> AdoptionRemark {
      AdoptionRemark(.refused, job: "a", code: .wrongSize, path: path, detail: "d")
    }
    func orphan(_ path: RelativePath) -> OrphanLine {
      OrphanLine(.changed, job: "a", rendition: "r", path: path, bytes: 3, detail: "d")
    }
    let plain = RelativePath("a")
    let samples: [(String, [any Encodable])] = [
      ("verification", [finding(plain), finding(Self.odd), verification()]),
      ("adoption", [remark(plain), remark(Self.odd), adoption()]),
      ("orphan", [orphan(plain), orphan(Self.odd), orphans()]),
    ]
    for (name, values) in samples {
      let file = "\(name)-line.schema.json"
      var validator = SchemaValidator()
      for value in values {
        #expect(try validator.validate(ReportText.line(value), file) == [])
      }
      #expect(try validator.visited == validator.properties(file))
    }
  }

  @Test("the schemas know every code and kind, and the page explains them")
  func codes() throws {
    var validator = SchemaValidator()
    let page = try documentText("audit.md")
    func words(_ file: String, _ part: String, _ key: String) throws -> [String]? {
      try validator.document("\(file)-line.schema.json")["$defs"]?[part]?["properties"]?[key]?[
        "enum"]?.array?.compactMap(\.string)
    }
    #expect(
      try words("verification", "finding", "code") == AuditFinding.Code.allCases.map(\.rawValue))
    #expect(
      try words("adoption", "remark", "code") == AdoptionRemark.Code.allCases.map(\.rawValue))
    #expect(try words("orphan", "orphan", "kind") == OrphanLine.Kind.allCases.map(\.rawValue))
    for code in AuditFinding.Code.allCases { #expect(page.contains("| `\(code.rawValue)` | ")) }
    for code in AdoptionRemark.Code.allCases { #expect(page.contains("`\(code.rawValue)`")) }
  }

  @Test("the exit status says what was found")
  func statuses() {
    var well = VerificationSummary(started: "", quick: false, sample: nil)
    well.end(at: "", interrupted: false)
    #expect(well.exitStatus == 0)
    #expect(verification().exitStatus == 3)
    #expect(adoption().exitStatus == 75)
    #expect(orphans().exitStatus == 3)
  }

  @Test("lines for a person are safe to show")
  func lines() {
    let path = RelativePath("a\u{1B}.jpg")
    let lines = [
      AuditFinding(.outputMissing, job: "j\n", rendition: nil, path: path, detail: "x\r").line,
      AdoptionRemark(.refused, job: "j\n", code: .changed, path: path, detail: "x\r").line,
      OrphanLine(.orphan, job: "j\n", rendition: nil, path: path, bytes: 1, detail: "x\r").line,
    ]
    for line in lines {
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(line)")
      #expect(line.contains("a\\u{1B}.jpg"))
    }
  }

  @Test("orphans are added up by folder, and amounts are readable")
  func folders() {
    let text = orphans().text
    #expect(text.contains("2.00 kB in 2 files: a\n"))
    #expect(text.contains("1 B in 1 file: \\xFF\n"))
    #expect(text.contains("3 of 9 known outputs are orphans, 2.00 kB"))
    #expect(AmountText.bytes(999) == "999 B")
    #expect(AmountText.bytes(12_345_678) == "12.3 MB")
    #expect(AmountText.bytes(7_000_000_000_000_000_000) == "7000 PB")
  }
}
