import Digest
import Journal
import Ledger
import Manifest
import RenderModel
import Reporting
package import SystemSupport
import WorkerPool

/// Carries manifests through: from the lock on the state folder to the balanced summary.
package struct RunCoordinator {
  private let configuration: RunConfiguration

  package init(_ configuration: RunConfiguration) {
    self.configuration = configuration
  }

  /// Must be called on the program's first thread: the workers die with the thread that starts them.
  package func perform(signals: SignalDescriptor?) -> RunEnd {
    do {
      let places = try RunPlaces.take(configuration) { signals?.isPending == true }
      return try perform(places, signals)
    } catch {
      let refusal = RunRefusal(error)
      return .refused(refusal.status, refusal.words)
    }
  }

  private func perform(_ places: RunPlaces, _ signals: SignalDescriptor?) throws -> RunEnd {
    var options = configuration.manifestOptions
    options.outputRoot = places.output
    if let signals { options.isStopped = { signals.isPending } }
    options.caseInsensitiveOutput =
      switch configuration.caseInsensitive {
      case .detected: places.isCaseInsensitive()
      case .sensitive: false
      case .insensitive: true
      }
    let manifests: [ManifestSlice]
    switch try RunManifests.open(
      configuration, options: options, isStopped: { signals?.isPending == true })
    {
    case .valid(let opened): manifests = opened
    case .invalid(let problems, let more): return .manifestInvalid(problems, more: more)
    case .refused(let status, let words): return .refused(status, words)
    }
    let run = try RunFolder.create(
      .following(places.lastRun), state: places.state, output: places.output)
    guard let staging = try run.staging() else {
      return .refused(.outputUnwritable, "the staging folder is gone")
    }
    let execution = try RunExecution(
      configuration: configuration, places: places, manifests: manifests, run: run,
      staging: staging, caseInsensitive: options.caseInsensitiveOutput)
    let end = try execution.carryOut(signals: signals)
    if case .finished = end { compact(places, signals) }
    return end
  }

  /// What cannot be compacted stays as it is: the run was well.
  private func compact(_ places: RunPlaces, _ signals: SignalDescriptor?) {
    do {
      let result = try JournalCompaction.afterRun(
        state: places.state, output: places.output, ledger: places.ledger,
        keepRuns: configuration.keepRuns, isStopped: { signals?.isPending == true })
      if result.shortened > 0 || result.removed > 0 { configuration.onNote(result.words) }
    } catch is CompactionScan.Stopped {
      return
    } catch {
      configuration.onNote("the journals of old runs stay as they are: \(error)")
    }
  }
}

/// One manifest that was checked, and how to read it again.
struct ManifestSlice {
  let source: ManifestSource
  let check: ManifestCheck
  let entry: RunSummary.ManifestEntry

  init(path: String, options: ManifestOptions, _ configuration: RunConfiguration) throws {
    try self.init(
      CheckableManifest.open(
        path: path, options: options, pool: configuration.pool, worker: configuration.worker),
      path: path)
  }

  /// Checks a manifest that was opened.
  init(_ source: ManifestSource, path: String) throws {
    self.source = source
    let digest = SHA256Digest()
    check = try source.check { digest.update($0) }
    entry = RunSummary.ManifestEntry(
      path: DisplayText.escaped(path), sha256: source.isFolder ? nil : digest.finalize().hex)
  }

  /// Jobs that a run of this manifest accounts for.
  var planned: Int { check.jobCount + check.invalidCount + check.skippedCount }
}
