import Ledger
package import Manifest
import RenderModel
package import Reporting
import SystemSupport

/// Reads outputs and compares them with what was reported: `minilab verify`.
package struct LibraryVerification {
  package var access: LibraryAccess
  /// Only the jobs of these; none: all that are known.
  package var manifestPaths: [String] = []
  package var manifestOptions = ManifestOptions()
  package var threads: Int
  /// Sizes and identities are compared and nothing is read.
  package var isQuick = false
  /// The share of the files that is looked at, in percent; nil for all.
  package var sample: Double?
  /// Called with each finding, in the order of the jobs.
  package var onFinding: (AuditFinding) -> Void = { _ in }
  package var onProgress: (ProgressMeter) -> Void = { _ in }

  package init(access: LibraryAccess, threads: Int) {
    self.access = access
    self.threads = threads
  }

  /// Jobs that are looked at together.
  private static let page = 256

  package func perform() throws(LedgerAccess.Refusal) -> VerificationSummary {
    var pass = Pass(
      summary: VerificationSummary(
        started: WallClock.iso8601(WallClock.now()), quick: isQuick, sample: sample))
    try access.with { places in try run(places, &pass) }
    pass.summary.end(at: WallClock.iso8601(WallClock.now()), interrupted: pass.isStopped)
    return pass.summary
  }

  private struct Pass {
    var summary: VerificationSummary
    var meter = ProgressMeter()
    var isStopped = false
  }

  private func run(_ places: RunPlaces, _ pass: inout Pass) throws {
    if manifestPaths.isEmpty {
      begin(&pass, jobs: try places.ledger.count())
      var last: LedgerKey?
      while !pass.isStopped {
        let entries = try places.ledger.entries(after: last, limit: Self.page)
        guard let end = entries.last else { return }
        last = end.key
        try look(at: entries, places, &pass)
        count(entries.count, &pass)
      }
      return
    }
    let manifests = try CheckedManifests.open(
      manifestPaths, manifestOptions, output: places.output,
      caseInsensitive: places.isCaseInsensitive(), isStopped: access.isStopped)
    begin(&pass, jobs: manifests.jobCount)
    var keys: [LedgerKey] = []
    try manifests.forEachJob { job, _ in
      keys.append(LedgerKey(job: job.id))
      if keys.count == Self.page { try look(at: &keys, places, &pass) }
      return !pass.isStopped
    }
    if !pass.isStopped { try look(at: &keys, places, &pass) }
  }

  private func look(at keys: inout [LedgerKey], _ places: RunPlaces, _ pass: inout Pass) throws {
    let entries = try places.ledger.lookUp(keys)
    pass.summary.unknownJobs += entries.count { $0?.outputs.isEmpty ?? true }
    try look(at: entries.compactMap { $0 }, places, &pass)
    count(keys.count, &pass)
    keys.removeAll(keepingCapacity: true)
  }

  private func begin(_ pass: inout Pass, jobs: Int) {
    pass.meter.plan(jobs)
    pass.meter.begin(at: RunProgress.now())
    onProgress(pass.meter)
  }

  private func count(_ jobs: Int, _ pass: inout Pass) {
    pass.meter.finish(.rendered, megapixels: nil, jobs: jobs)
    onProgress(pass.meter)
  }

  private func look(at entries: [LedgerEntry], _ places: RunPlaces, _ pass: inout Pass) throws {
    let audit = FileAudit(
      output: places.output, isQuick: isQuick, isStopped: access.isStopped)
    let targets = entries.flatMap(targets(of:))
    pass.summary.jobs += entries.count { !$0.outputs.isEmpty }
    let answers = ParallelWork.map(targets, threads: threads) { audit.look(at: $0) }
    var rotten: [LedgerKey: [AuditFinding]] = [:]
    for (target, answer) in zip(targets, answers) {
      if answer.isStopped {
        pass.isStopped = true
        continue
      }
      switch target.kind {
      case .output: pass.summary.outputs += 1
      case .report: pass.summary.reports += 1
      }
      pass.summary.bytes += answer.bytes
      if answer.isUnchecked { pass.summary.unchecked += 1 }
      guard let finding = answer.finding else { continue }
      pass.summary.count(finding)
      onFinding(finding)
      if finding.isSilent == true {
        rotten[LedgerKey(job: target.job), default: []].append(finding)
      }
    }
    try places.ledger.record(
      entries.filter { rotten[$0.key] != nil }.map { Self.forgetting($0, rotten[$0.key] ?? []) })
  }

  private func targets(of entry: LedgerEntry) -> [AuditTarget] {
    func isTaken() -> Bool { sample.map { Double.random(in: 0..<100) < $0 } ?? true }
    guard !entry.outputs.isEmpty else { return [] }
    var kinds = entry.outputs.map(AuditTarget.Kind.output)
    if let file = entry.reportFile { kinds.append(.report(file, of: entry.outputs)) }
    return kinds.filter { _ in isTaken() }.map { AuditTarget(job: entry.job, kind: $0) }
  }

  /// The entry without the identities that would let damaged outputs pass for what they were.
  private static func forgetting(_ entry: LedgerEntry, _ findings: [AuditFinding]) -> LedgerEntry {
    var entry = entry
    let paths = Set(findings.compactMap(\.relativePath))
    for index in entry.outputs.indices where paths.contains(entry.outputs[index].path) {
      entry.outputs[index].identity = nil
    }
    return entry
  }
}
