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
    case .fresh, .skipped: return previous
    case .quarantined: return setAside(previous, entry, report)
    case .rendered, .degraded: return entry
    case .kept, .failed, .timedOut, .cancelled: break
    }
    if let previous {
      entry.hadRecord = entry.hadRecord || previous.hadRecord
      if !previous.outputs.isEmpty { entry.standOn(previous) }
      entry.pixels = entry.pixels ?? previous.pixels
      entry.adjustment = entry.adjustment ?? (previous.outputs.isEmpty ? previous.adjustment : nil)
    }
    entry.strikes = strikes(after: previous?.strikes, report)
    return entry
  }

  private init(_ report: JobReport, _ state: OutcomeState) {
    self.init(
      job: report.job, asset: report.asset.relativePath ?? RelativePath(bytes: []),
      outcome: state, code: report.outcome.code, run: report.run,
      finished: Timestamp.nanoseconds(report.finished) ?? 0)
    let finished = finished
    func settled(_ identity: FileIdentity?) -> FileIdentity? {
      identity.flatMap { $0.isSettled(at: finished) ? $0 : nil }
    }
    source = report.asset.sha256.map {
      Source(sha256: $0, identity: settled(report.asset.identity))
    }
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
          path: $0, sha256: resource.sha256, bytes: resource.bytes,
          identity: settled(resource.identity))
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
          identity: settled(rendition.identity))
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
}
