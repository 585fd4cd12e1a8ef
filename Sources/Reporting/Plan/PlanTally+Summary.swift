package import RenderModel

extension PlanTally {
  /// What the quote is made for.
  package struct Pool: Sendable {
    /// Jobs that run side by side.
    package var workers: Int
    /// Processors that they share.
    package var processors: Int
    /// nil when the output folder is not there yet.
    package var freeDiskBytes: Int?

    package init(workers: Int, processors: Int, freeDiskBytes: Int?) {
      self.workers = workers
      self.processors = processors
      self.freeDiskBytes = freeDiskBytes
    }
  }

  /// Jobs whose outputs are staged before any of them gets its name.
  private static let stagedTogether = 64

  /// `engine`: the versions that would render now; nil when they are not known.
  package func summary(
    manifests: [RunSummary.ManifestEntry], pool: Pool, engine: String?
  ) -> PlanSummary {
    var summary = PlanSummary(manifests: manifests, totals: totals, groups: groups)
    if totals.render > 0 {
      summary.quote = quote(pool)
      if summary.quote == nil {
        summary.quoteMissing = "no render is recorded yet whose time could be gone by"
      }
    } else if totals.refresh > 0 {
      summary.quoteMissing = "what refreshing metadata takes is not recorded"
    }
    if let engine {
      let jobs = madeByOthers(than: engine)
      if jobs > 0 {
        summary.engineDiffers = PlanSummary.EngineDifference(jobs: jobs, engine: engine)
      }
    }
    return summary
  }

  private var groups: [PlanSummary.Group] {
    let order = PlannedJob.Action.allCases
    let sorted = amounts.sorted { left, right in
      let (a, b) = (order.firstIndex(of: left.key.action), order.firstIndex(of: right.key.action))
      if a != b { return (a ?? 0) < (b ?? 0) }
      if left.value.jobs != right.value.jobs { return left.value.jobs > right.value.jobs }
      return left.key.text < right.key.text
    }
    return sorted.map { cause, amount in
      let isEstimated = amount.unknown > 0
      let pixels =
        isEstimated
        ? ledger.meanPixels.map { amount.pixels + $0 * Double(amount.unknown) } : amount.pixels
      return PlanSummary.Group(
        action: cause.action, cause: cause.text, name: Self.name(of: cause.text),
        jobs: amount.jobs, megapixels: pixels.map(Self.megapixels),
        estimated: pixels == nil ? 0 : amount.unknown)
    }
  }

  /// nil when there is nothing to go by.
  private func quote(_ pool: Pool) -> PlanSummary.Quote? {
    guard ledger.hasBasis, let mean = ledger.meanPixels else { return nil }
    let pixels = work.pixels + mean * Double(work.unknownPixels)
    let uncosted = work.uncostedPixels + mean * Double(work.uncostedUnknown)
    let cpuSeconds = (work.cpu + ledger.cpu / ledger.pixels * uncosted) / 1000
    let unmade = work.newPixels + mean * Double(work.newUnknown)
    let newBytes = ledger.bytes / ledger.pixels * unmade
    let written = work.replacedBytes + newBytes
    let staged = written * Double(min(Self.stagedTogether, work.jobs)) / Double(work.jobs)
    let atOnce = max(1, min(pool.workers, pool.processors))
    return PlanSummary.Quote(
      basis: PlanSummary.Quote.Basis(
        renders: ledger.renders, megapixels: Self.megapixels(ledger.pixels),
        cpuSeconds: NumberText.thousandths(ledger.cpu / 1000)),
      megapixels: Self.megapixels(pixels), cpuSeconds: NumberText.thousandths(cpuSeconds),
      coreHours: NumberText.thousandths(cpuSeconds / 3600),
      wallSeconds: NumberText.thousandths(cpuSeconds / Double(atOnce)), workers: pool.workers,
      writtenBytes: Self.bytes(written), peakDiskBytes: Self.bytes(newBytes + staged),
      freeDiskBytes: pool.freeDiskBytes)
  }

  private static func megapixels(_ pixels: Double) -> Double {
    NumberText.thousandths(pixels / 1_000_000)
  }

  private static func bytes(_ value: Double) -> Int { Int(min(max(0, value.rounded()), 9e18)) }
}
