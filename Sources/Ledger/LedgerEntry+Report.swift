package import RenderModel

extension LedgerEntry {
  /// What is known of a job once this report is in; nil when the report says nothing about one.
  ///
  /// A failed or kept attempt leaves the outputs that stand and what they were made from; a record
  /// that was seen before is forgotten only by a render without one.
  package static func following(_ previous: LedgerEntry?, _ report: JobReport) -> LedgerEntry? {
    guard let state = OutcomeState(rawValue: report.outcome.state) else { return previous }
    var entry = LedgerEntry(report, state)
    entry.earlier = previous?.ending(before: report.run)
    switch state {
    case .skipped where report.outcome.code == SkippedCode.pruned.rawValue:
      return previous?.without(report)
    case .fresh, .skipped, .quarantined: return previous
    case .rendered, .degraded: return entry
    case .kept, .failed, .timedOut, .cancelled: break
    }
    if let previous {
      entry.hadRecord = entry.hadRecord || previous.hadRecord
      if !previous.outputs.isEmpty { entry.standOn(previous) }
      entry.pixels = entry.pixels ?? previous.pixels
      entry.adjustment = entry.adjustment ?? (previous.outputs.isEmpty ? previous.adjustment : nil)
    }
    entry.countStrikes(report, after: previous)
    return entry
  }

  private init(_ report: JobReport, _ state: OutcomeState) {
    self.init(
      job: report.job, asset: report.asset.relativePath ?? RelativePath(bytes: []),
      outcome: state, code: report.outcome.code, run: report.run,
      finished: Timestamp.nanoseconds(report.finished) ?? 0)
    source = report.asset.sha256.map { Source(sha256: $0, identity: report.asset.identity) }
    adjustment = report.adjustment.map {
      Adjustment(
        sha256: $0.sha256, formatIdentifier: $0.formatIdentifier,
        formatVersion: $0.formatVersion, origin: $0.relativePath)
    }
    hadRecord = adjustment != nil
    renderKey = report.renderKey
    recipe = report.recipe
    filters = report.filters
    pixels = report.asset.pixels
    resources = (report.resources ?? []).compactMap { resource in
      resource.relativePath.map {
        Resource(
          path: $0, sha256: resource.sha256, bytes: resource.bytes, identity: resource.identity)
      }
    }
    guard state == .rendered || state == .degraded else { return }
    cpu = report.cpu
    engine = EngineVersions.text(of: report.engine)
    reportFile = report.reportFile?.relativePath
    outputs = report.renditions.compactMap { rendition in
      rendition.relativePath.map {
        Output(
          rendition: rendition.name, path: $0, sha256: rendition.sha256, bytes: rendition.bytes,
          identity: rendition.identity)
      }
    }
  }

  /// The names that the report lists are gone; what they were made from stays known.
  private func without(_ report: JobReport) -> LedgerEntry {
    var entry = self
    let gone = Set(report.renditions.compactMap(\.relativePath))
    entry.outputs.removeAll { gone.contains($0.path) }
    if let file = entry.reportFile, file == report.reportFile?.relativePath {
      entry.reportFile = nil
    }
    return entry
  }

  private mutating func standOn(_ previous: LedgerEntry) {
    source = previous.source
    adjustment = previous.adjustment
    renderKey = previous.renderKey
    recipe = previous.recipe
    filters = previous.filters
    resources = previous.resources
    pixels = previous.pixels
    cpu = previous.cpu
    engine = previous.engine
    outputs = previous.outputs
    reportFile = previous.reportFile
  }

  private mutating func countStrikes(_ report: JobReport, after previous: LedgerEntry?) {
    let attempted = report.asset.sha256
    let isSameContent =
      attempted == nil || previous?.struckSource == nil || attempted == previous?.struckSource
    let before = isSameContent ? previous?.strikes ?? 0 : 0
    strikes = before + (Self.isStrike(report.outcome) ? 1 : 0)
    if strikes > 0 { struckSource = attempted ?? previous?.struckSource }
  }

  private static func isStrike(_ outcome: JobReport.OutcomeEntry) -> Bool {
    if outcome.state == OutcomeState.timedOut.rawValue { return true }
    let codes: [FailureCode] = [.crashed, .policyViolation, .memory]
    return outcome.state == OutcomeState.failed.rawValue
      && codes.contains { $0.rawValue == outcome.code }
  }
}
