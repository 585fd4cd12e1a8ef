package import RenderModel

extension LedgerEntry {
  /// What is known of a job once its content was released; nil when the job is not known.
  package static func following(
    _ previous: LedgerEntry?, _ release: QuarantineRelease
  ) -> LedgerEntry? {
    var entry = previous
    if entry?.strikes?.source == release.source { entry?.strikes = nil }
    return entry
  }

  /// A report that ends a process adds a strike; one of other content forgets those of the old.
  static func strikes(after previous: Strikes?, _ report: JobReport) -> Strikes? {
    let attempted = report.asset.sha256
    let isSameContent = attempted == nil || attempted == previous?.source
    guard let limits = report.strike, let source = attempted else {
      return isSameContent ? previous : nil
    }
    var strikes = Strikes(
      count: 1, source: source, identity: report.asset.identity,
      engine: EngineVersions.whole(of: report.engine), limits: limits, job: report.job,
      state: report.outcome.state, code: report.outcome.code, stage: report.outcome.stage,
      detail: report.outcome.detail, peakMemory: report.peakMemory, run: report.run,
      finished: report.finished)
    if let previous, isSameContent, previous.hold(engine: strikes.engine, within: limits) {
      strikes.count = previous.count + 1
      strikes.limits = previous.limits.union(limits)
    }
    return strikes
  }

  /// A job that was not tried keeps what is known of it; a copy of struck content gets its strikes.
  ///
  /// So the next run knows either without reading the original.
  static func setAside(
    _ previous: LedgerEntry?, _ new: LedgerEntry, _ report: JobReport
  ) -> LedgerEntry? {
    guard let strikes = report.quarantine else { return previous }
    var entry = previous ?? new
    entry.strikes = strikes
    entry.strikes?.identity = report.asset.identity ?? strikes.identity
    return entry
  }
}
