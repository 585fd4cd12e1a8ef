import JSONText
import RenderModel
import Testing

@testable import Reporting

/// How a plan is added up and told.
@Suite("Plans")
struct PlanTests {
  private func job(
    _ action: PlannedJob.Action, reason: String? = nil, code: String? = nil, _ name: String = "a"
  ) -> PlannedJob {
    var job = PlannedJob(job: name, asset: RelativePath(name), action: action)
    (job.reason, job.code) = (reason, code)
    return job
  }

  private let pool = PlanTally.Pool(workers: 4, processors: 2, freeDiskBytes: 10_000_000)

  private func summary(
    engine: String? = nil, _ fill: (inout PlanTally) -> Void
  ) -> PlanSummary {
    var tally = PlanTally()
    fill(&tally)
    return tally.summary(manifests: [], pool: pool, engine: engine)
  }

  private let known = PlanCost(pixels: 10_000_000, cpu: 2000, outputBytes: 3_000_000)

  @Test("jobs are counted by action and cause, with the causes of most jobs first")
  func groups() {
    let plan = summary { tally in
      tally.count(job(.render, reason: "new"))
      for _ in 0..<2 { tally.count(job(.render, reason: "lookChanged(b)"), known) }
      tally.count(job(.fresh), known)
      tally.count(job(.kept, reason: "recipeChanged", code: "pixelsOutdated"), known)
      tally.count(job(.skipped))
      tally.count(job(.skipped, reason: "new"))
      tally.count(job(.failed, code: "unreadable"))
    }
    #expect(
      plan.groups.map { "\($0.action) \($0.cause) \($0.jobs) \($0.estimated)" } == [
        "render lookChanged(b) 2 0", "render new 1 1", "fresh fresh 1 0",
        "kept pixelsOutdated 1 0", "skipped leftForLater 1 1", "skipped notSelected 1 1",
        "failed unreadable 1 1",
      ])
    #expect(plan.groups.map(\.name).first == "lookChanged")
    #expect(plan.groups[0].megapixels == 20)
    #expect(plan.groups[1].megapixels == 10)
    #expect(plan.totals.planned == 8)
    #expect(plan.totals.render == 3)
  }

  @Test("a quote adds what the same jobs took to what jobs of their size took on average")
  func quote() throws {
    let plan = summary { tally in
      tally.count(job(.fresh), known)
      tally.count(job(.render, reason: "forced"), known)
      // Its size is known, its cost is not.
      tally.count(job(.render, reason: "new"), PlanCost(pixels: 20_000_000))
      // Nothing is known: 13.3 megapixels on average.
      tally.count(job(.render, reason: "new"))
    }
    let quote = try #require(plan.quote)
    #expect(quote.basis == .init(renders: 2, megapixels: 20, cpuSeconds: 4))
    #expect(quote.megapixels == 43.333)
    #expect(quote.cpuSeconds == 8.667)
    #expect(quote.coreHours == 0.002)
    // Four workers share two processors.
    #expect(quote.wallSeconds == 4.333)
    #expect(quote.workers == 4)
    #expect(quote.writtenBytes == 13_000_000)
    // All are staged at once, and two of them replace nothing.
    #expect(quote.peakDiskBytes == 23_000_000)
    #expect(PlanText.text(plan).contains("(ONLY 10.0 MB ARE FREE)"))
  }

  @Test("without a past render there is no quote, and it is said why")
  func noQuote() {
    let new = summary { $0.count(job(.render, reason: "new"), PlanCost(pixels: 5)) }
    #expect(new.quote == nil)
    #expect(new.quoteMissing?.contains("no render is recorded") == true)
    #expect(PlanText.text(new).contains("No quote: no render is recorded"))
    let refresh = summary { $0.count(job(.refresh, reason: "recipeChanged"), known) }
    #expect(refresh.quote == nil)
    #expect(refresh.quoteMissing?.contains("refreshing metadata") == true)
    let nothing = summary { $0.count(job(.fresh), known) }
    #expect(nothing.quote == nil)
    #expect(nothing.quoteMissing == nil)
    #expect(PlanText.text(nothing) == "1 job: 1 up to date\n")
  }

  @Test("however many files are named, the causes that are held are few")
  func manyCauses() {
    let plan = summary { tally in
      for index in 0..<2000 { tally.count(job(.render, reason: "lookChanged(\(index))"), known) }
    }
    #expect(plan.groups.count == PlanTally.mostCauses + 1)
    #expect(plan.groups.reduce(0) { $0 + $1.jobs } == 2000)
    #expect(plan.groups.first?.cause == "lookChanged")
    #expect(PlanText.text(plan).contains("... and 481 more causes, 481 jobs"))
  }

  @Test("up-to-date jobs of another engine are told, and those of none or the same are not")
  func engines() {
    func told(_ engine: String?) -> PlanSummary {
      summary(engine: engine) { tally in
        tally.count(job(.fresh), known, engine: "libvips 1")
        tally.count(job(.fresh), known, engine: "libvips 2")
        tally.count(job(.fresh), known)
        tally.count(job(.render, reason: "new"), known, engine: "libvips 1")
      }
    }
    #expect(told("libvips 2").engineDiffers == .init(jobs: 1, engine: "libvips 2"))
    #expect(told(nil).engineDiffers == nil)
    #expect(PlanText.text(told("libvips 2")).contains("1 up-to-date job was rendered by other"))
    #expect(PlanText.text(told("libvips 3")).contains("--rebuild-on engine renders them again"))
  }

  @Test("nothing of a job's name or file can harm a terminal")
  func escaped() {
    let line = PlanText.line(job(.render, reason: "lookChanged(\u{1B}[2J)", "a\nb"))
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(line.hasPrefix("render      lookChanged("))
    let plan = summary { $0.count(job(.render, reason: "lookChanged(\u{1B}[2J)"), known) }
    #expect(!PlanText.text(plan).unicodeScalars.contains("\u{1B}"))
  }

  // MARK: - The published form

  private var fullJob: PlannedJob {
    var full = PlannedJob(
      job: "a", asset: RelativePath(bytes: [0x61, 0xFF]), action: .render)
    full.asset = "a"
    (full.reason, full.code, full.detail) = ("filterChanged(exposure, 1, 2)", "c", "words")
    full.megapixels = 1.5
    return full
  }

  private var fullPlan: PlanSummary {
    var plan = summary(engine: "libvips 2") { tally in
      tally.count(job(.render, reason: "new"), known)
      tally.count(job(.fresh), known, engine: "libvips 1")
    }
    plan.manifests = [.init(path: "m.json", sha256: digest("aa"))]
    plan.quoteMissing = "words"
    return plan
  }

  private var fullStory: ExplainedJob {
    var story = ExplainedJob(fullJob, manifest: "m.json")
    story.comparisons = [.init(.filter, "exposure", recorded: "1", now: "2", same: false)]
    (story.lastWords, story.remedy) = ("words", "words")
    return story
  }

  @Test("lines that say everything have every key of the schema and no other")
  func schema() throws {
    var validator = SchemaValidator()
    let story: String = try ReportText.line(fullStory).dropLast() + ",\"recorded\":{}}"
    for json in [try ReportText.line(fullJob), try ReportText.line(fullPlan), story] {
      #expect(try validator.validate(json, "plan.schema.json") == [])
    }
    #expect(try validator.visited == validator.properties("plan.schema.json"))
  }

  @Test("what a line always has is what the schema requires")
  func required() throws {
    var validator = SchemaValidator()
    let bare = PlannedJob(job: "a", asset: RelativePath(bytes: []), action: .failed)
    let samples = [
      ("job", try ReportText.line(bare)), ("plan", try ReportText.line(summary { _ in })),
      ("explanation", try ReportText.line(ExplainedJob(bare))),
    ]
    for (kind, json) in samples {
      #expect(try validator.validate(json, "plan.schema.json") == [])
      let value = try JSONParser.parse(Array(json.utf8)).value
      #expect(value["kind"]?.string == kind)
      let required = try validator.document("plan.schema.json")["$defs"]?[kind]?["required"]
      #expect(
        Set(value.object?.map(\.key) ?? []) == Set(required?.array?.compactMap(\.string) ?? []))
    }
  }

  @Test("the schema knows every action and every subject")
  func enumerations() throws {
    var validator = SchemaValidator()
    let definitions = try validator.document("plan.schema.json")["$defs"]
    let action = definitions?["job"]?["properties"]?["action"]?["enum"]
    #expect(
      action?.array?.compactMap(\.string) == PlannedJob.Action.allCases.map(\.rawValue))
    let subject = definitions?["explanation"]?["properties"]?["comparisons"]?["items"]?[
      "properties"]?["subject"]?["enum"]
    #expect(subject?.array?.compactMap(\.string) == ExplainedJob.Subject.allCases.map(\.rawValue))
  }
}
