import Journal
import Ledger
package import Manifest
import RenderModel
package import Reporting
import SystemSupport
package import WorkerPool

/// Accepts existing outputs as current without rendering them: `minilab adopt`.
package struct LibraryAdoption {
  package var access: LibraryAccess
  package var manifestPaths: [String]
  package var manifestOptions = ManifestOptions()
  package var pool: PoolConfiguration
  package var worker: WorkerSettings
  /// Nothing is written.
  package var isDryRun = false
  /// Outputs that are older than their original are accepted.
  package var acceptsOlder = false
  package var onRemark: (AdoptionRemark) -> Void = { _ in }
  package var onProgress: (ProgressMeter) -> Void = { _ in }

  package init(
    access: LibraryAccess, manifestPaths: [String], pool: PoolConfiguration,
    worker: WorkerSettings
  ) {
    self.access = access
    self.manifestPaths = manifestPaths
    self.pool = pool
    self.worker = worker
  }

  /// Jobs that are looked at together: each batch starts a worker twice.
  private static let batch = 256

  /// Must be called on the program's first thread: the workers die with the thread that starts them.
  package func perform() throws(LedgerAccess.Refusal) -> AdoptionSummary {
    try access.with(makesState: true) { places in
      let manifests = try CheckedManifests.open(
        manifestPaths, manifestOptions, output: places.output,
        caseInsensitive: places.isCaseInsensitive(), isStopped: access.isStopped)
      let pass = Pass(self, places, manifests)
      try manifests.forEachJob { job, source in try pass.take(job, source) }
      return try pass.end()
    }
  }

  /// One adoption on its way.
  private final class Pass {
    let adoption: LibraryAdoption
    let places: RunPlaces
    let run: QuietRun
    var summary: AdoptionSummary
    var meter = ProgressMeter()
    var waiting: [(job: Job, source: ManifestSource)] = []
    var intakes: [String: AdoptionIntake] = [:]
    /// Names that only looking gave.
    var lateNames: Set<RelativePath> = []

    init(_ adoption: LibraryAdoption, _ places: RunPlaces, _ manifests: CheckedManifests) {
      self.adoption = adoption
      self.places = places
      run = QuietRun(places, manifests: manifests.entries, onNote: adoption.access.onNote)
      summary = AdoptionSummary(
        started: run.started, dryRun: adoption.isDryRun, jobs: manifests.jobCount)
      meter.plan(manifests.jobCount)
      meter.begin(at: RunProgress.now())
    }

    func take(_ job: Job, _ source: ManifestSource) throws -> Bool {
      waiting.append((job, source))
      if waiting.count == LibraryAdoption.batch { try work() }
      return !adoption.access.isStopped()
    }

    func end() throws -> AdoptionSummary {
      if !adoption.access.isStopped() { try work() }
      let done = summary.adopted + summary.fresh + summary.refusedCount
      summary.run = run.name
      summary.end(at: WallClock.iso8601(WallClock.now()), interrupted: done < summary.jobs)
      var totals = RunSummary.Totals()
      totals.planned = summary.jobs
      totals.rendered = summary.adopted
      totals.fresh = summary.fresh
      totals.skipped = summary.refusedCount
      totals.cancelled = summary.jobs - done
      try run.close(totals, exitStatus: summary.exitStatus)
      return summary
    }

    // MARK: - A batch

    private struct Item {
      var candidate: AdoptionCandidate
      var intake: AdoptionIntake
    }

    private func work() throws {
      let jobs = waiting
      waiting = []
      var items: [Item] = []
      for (job, source) in jobs {
        let intake = try intake(of: source)
        switch try intake.candidate(job) {
        case nil:
          summary.fresh += 1
          meter.finish(.fresh, megapixels: nil)
        case .failure(let refusal)?: refuse(job.id, refusal)
        case .success(let candidate)?: items.append(Item(candidate: candidate, intake: intake))
        }
      }
      try readOriginals(&items)
      try readOutputs(&items)
      // What was begun when a signal came is left to the next time.
      if adoption.access.isStopped() { return }
      try publish(items)
      adoption.onProgress(meter)
    }

    private func intake(of source: ManifestSource) throws -> AdoptionIntake {
      if let known = intakes[source.libraryPath] { return known }
      let intake = try AdoptionIntake(places: places, libraryPath: source.libraryPath)
      intakes[source.libraryPath] = intake
      return intake
    }

    private var reader: HeaderReader {
      HeaderReader(
        pool: adoption.pool, worker: adoption.worker, isStopped: adoption.access.isStopped)
    }

    private func readOriginals(_ items: inout [Item]) throws {
      let headers = try reader.headers(
        of: items.map { item in
          let (job, intake) = (item.candidate.context.job, item.intake)
          return HeaderReader.Picture(
            open: {
              try? intake.library.openBeneath(job.asset.bytes, flags: FileFlags.readNonBlocking)
            }, limits: job.limits, tolerant: job.tolerant, rawSource: job.rawSource)
        })
      keep(&items) { (index, item) throws(AdoptionCandidate.Refusal) in
        switch headers[index] {
        case .success(let header)?: item.candidate.header = header
        case .failure(let failure)?:
          throw AdoptionCandidate.Refusal(code: .originalUnreadable, detail: failure.detail)
        case nil:
          throw AdoptionCandidate.Refusal(
            code: .originalUnreadable, detail: "the original cannot be opened")
        }
        // Names may hold the digest; what is read for it is read again when it is recorded.
        if item.candidate.context.job.outputs.contains(where: { !$0.template.isKnownBefore }) {
          try item.intake.digest(&item.candidate)
        }
        try item.intake.locate(&item.candidate)
        try self.takeLateNames(item.candidate)
      }
    }

    private func takeLateNames(
      _ candidate: AdoptionCandidate
    ) throws(AdoptionCandidate.Refusal) {
      for (wanted, output) in zip(candidate.context.job.outputs, candidate.outputs)
      where !wanted.template.isKnownBefore && !lateNames.insert(output.path).inserted {
        throw AdoptionCandidate.Refusal(
          code: .nameTaken, path: output.path, detail: "another job has the same output name")
      }
    }

    private func readOutputs(_ items: inout [Item]) throws {
      let folder = places.output
      let files = items.indices.flatMap { item in
        items[item].candidate.outputs.indices.map { (item: item, output: $0) }
      }
      let pictures = files.map { place in
        let path = items[place.item].candidate.outputs[place.output].path
        return HeaderReader.Picture(
          open: { try? folder.openBeneath(path.bytes, flags: FileFlags.readNonBlocking) },
          limits: items[place.item].candidate.context.job.limits)
      }
      let headers = try reader.headers(of: pictures)
      var faults: [Int: AdoptionCandidate.Refusal] = [:]
      for (place, header) in zip(files, headers) {
        let path = items[place.item].candidate.outputs[place.output].path
        switch header {
        case .success(let header)?:
          items[place.item].candidate.outputs[place.output].header = header
        case .failure(let failure)?:
          faults[place.item] = .init(code: .wrongType, path: path, detail: failure.detail)
        case nil:
          faults[place.item] = .init(
            code: .outputUnreadable, path: path, detail: "cannot be opened")
        }
      }
      let acceptsOlder = adoption.acceptsOlder
      keep(&items) { (index, item) throws(AdoptionCandidate.Refusal) in
        if let fault = faults[index] { throw fault }
        try item.candidate.judge(acceptsOlder: acceptsOlder)
      }
    }

    private func publish(_ items: [Item]) throws {
      var digested = items
      if !adoption.isDryRun {
        let answers = ParallelWork.map(items, threads: adoption.pool.slots) { item in
          Result { () throws(AdoptionCandidate.Refusal) in
            var candidate = item.candidate
            try item.intake.digest(&candidate)
            return candidate
          }
        }
        keep(&digested) { (index, item) throws(AdoptionCandidate.Refusal) in
          item.candidate = try answers[index].get()
        }
      }
      for item in digested where !item.candidate.notes.isEmpty {
        summary.unchecked += 1
        for note in item.candidate.notes {
          adoption.onRemark(
            AdoptionRemark(.unchecked, job: item.candidate.context.job.id, detail: note))
        }
      }
      summary.adopted += digested.count
      meter.finish(.rendered, megapixels: nil, jobs: digested.count)
      if adoption.isDryRun || digested.isEmpty { return }
      let name = try run.begin()
      try run.write(digested.map { .report($0.candidate.report(run: name)) })
    }

    /// Goes on with those for which the step does not refuse.
    private func keep(
      _ items: inout [Item],
      _ step: (Int, inout Item) throws(AdoptionCandidate.Refusal) -> Void
    ) {
      var kept: [Item] = []
      for (index, item) in items.enumerated() {
        var item = item
        do throws(AdoptionCandidate.Refusal) {
          try step(index, &item)
          kept.append(item)
        } catch {
          refuse(item.candidate.context.job.id, error)
        }
      }
      items = kept
    }

    private func refuse(_ job: String, _ refusal: AdoptionCandidate.Refusal) {
      // A job that was not reached because of a signal is not refused.
      if adoption.access.isStopped() { return }
      summary.refused[refusal.code.rawValue, default: 0] += 1
      meter.finish(.failed, megapixels: nil)
      adoption.onRemark(
        AdoptionRemark(
          .refused, job: job, code: refusal.code, path: refusal.path, detail: refusal.detail))
    }
  }
}
