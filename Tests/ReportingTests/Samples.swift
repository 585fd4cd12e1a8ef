import RenderModel

let runName = "20260131T120000Z-0123abcd"

func digest(_ start: String) -> String {
  start + String(repeating: "0", count: 64 - start.count)
}

/// A report that says only what it must.
func report(
  _ state: OutcomeState, code: String? = nil, job: String = "a.jpg", detail: String? = nil
) -> JobReport {
  var report = JobReport(
    job: job, run: runName, attempt: 1, asset: .init(path: RelativePath(job)),
    outcome: Outcome(state, code: code, detail: detail))
  report.finished = "2026-01-31T12:00:00.000Z"
  return report
}

/// A report that says everything; for the schema, also what excludes each other.
func fullReport() -> JobReport {
  let odd = RelativePath(bytes: [0x61, 0xFF])
  let identity = FileIdentity(inode: 7, size: 5, modified: -1, changed: 1)
  var full = report(.degraded, code: "truncated", detail: "the last 3 rows are missing")
  full.outcome.stage = RenderStage.decode.rawValue
  full.asset.pathBytes = Base64.encode(odd.bytes)
  full.asset.type = "public.jpeg"
  full.asset.bytes = 5
  full.asset.sha256 = digest("aa")
  full.asset.width = 4000
  full.asset.height = 3000
  full.asset.orientation = 6
  full.asset.profile = "Display P3"
  full.asset.captured = "2024-02-29T10:11:12.25+01:00"
  full.asset.notes = ["the name says another type"]
  full.asset.identity = identity
  full.adjustment = JobReport.Adjustment(
    formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0", sha256: digest("ad"),
    fidelity: "exact", notes: ["grain is approximated"], path: RelativePath("a.json"))
  full.adjustment?.pathBytes = Base64.encode(odd.bytes)
  full.filters = [.init(name: "exposure", version: 2)]
  full.resources = [RelativePath("looks/warm.cube"), odd].map {
    JobReport.Resource(path: $0, bytes: 7, sha256: digest("1a"), identity: identity)
  }
  full.renderKey = digest("be")
  full.recipe = digest("e0")
  full.reason = "filterChanged(exposure, 1, 2)"
  full.renditions = [RelativePath("a.full.jpg"), odd].map {
    JobReport.RenditionEntry(
      name: "full", path: $0, type: "public.jpeg", bytes: 99, sha256: digest("f0"), width: 3000,
      height: 4000, profile: "sRGB", bitDepth: 8, quality: 92, pixelDigest: digest("5e"),
      identity: identity)
  }
  full.reportFile = .init(path: RelativePath("a.report.json"))
  full.reportFile?.pathBytes = Base64.encode(odd.bytes)
  full.losses = ["alpha"]
  full.notes = ["the embedded profile is not used"]
  full.lossNotes = ["exif": "two values were too large"]
  full.timings.total = 12.5
  full.deadline = .init(limit: 30_000, overshoot: 0.25)
  full.peakMemory = 48_000_000
  full.sandbox = ["landlock", "seccomp"]
  full.engine = ["libvips": "8.14.1"]
  full.cpu = 250
  let limits = StrikeLimits(deadline: DeadlinePolicy(), memory: 1 << 30)
  full.strike = limits
  full.quarantine = Strikes(
    count: 2, source: digest("aa"), identity: identity, engine: "libvips 8.14.1, minilab 1.0",
    limits: limits, job: "b.jpg", state: "failed", code: "crashed", stage: "encode",
    detail: "the job's process crashed with SIGSEGV", peakMemory: 48_000_000, run: runName,
    finished: "2026-01-31T12:00:00.000Z")
  return full
}

func summary(
  exit: ExitStatus = .someFailed, failures: [RunSummary.Failure] = [], omitted: Int = 0,
  _ change: (inout RunSummary.Totals) -> Void
) -> RunSummary {
  var totals = RunSummary.Totals()
  change(&totals)
  return RunSummary(
    run: runName, manifests: [.init(path: "jobs/demo.json", sha256: digest("3f"))],
    started: "2026-01-31T12:00:00.000Z", finished: "2026-01-31T12:00:03Z", totals: totals,
    exitStatus: exit.rawValue,
    throughput: .init(
      jobsPerSecond: 4, megapixelsPerSecond: 48.25, cpuSecondsPerMegapixel: 0.0214),
    deadlineOvershoot: .init(p50: 1, p99: 2, max: 3), peakMemory: 1_000_000, failures: failures,
    failuresOmitted: omitted)
}
