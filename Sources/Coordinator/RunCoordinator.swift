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
    } catch RunPlaces.Refusal.output(let words) {
      return .refused(.outputUnwritable, words)
    } catch RunPlaces.Refusal.held(let words) {
      return .refused(.configuration, words)
    } catch RunPlaces.Refusal.ledger(let error) {
      return .refused(error.exitStatus, "\(error)")
    } catch RunPlaces.Refusal.stopped {
      return .refused(.interrupted, "stopped while the journals were read; nothing was started")
    } catch let error as LedgerError {
      return .refused(error.exitStatus, "\(error)")
    } catch ManifestError.stopped(let path) {
      return .refused(.interrupted, "\(ManifestError.stopped(path: path))")
    } catch let error as ManifestError {
      return .refused(.manifestInvalid, "\(error)")
    } catch let error as JournalError {
      return .refused(error.exitStatus, "\(error)")
    } catch let error as SystemError {
      return .refused(error.exitStatus, "\(error)")
    } catch {
      return .refused(.internalError, "\(error)")
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
    var manifests: [ManifestSlice] = []
    for path in configuration.manifestPaths {
      let slice = try ManifestSlice(path: path, options: options, configuration)
      guard slice.check.isValid else {
        return .manifestInvalid(slice.check.problems, more: slice.check.problemsOmitted)
      }
      manifests.append(slice)
    }
    if let words = try ManifestClash.find(
      in: manifests, caseInsensitive: options.caseInsensitiveOutput,
      isStopped: { signals?.isPending == true })
    {
      return .refused(.manifestInvalid, words)
    }
    let run = try RunFolder.create(
      .following(places.lastRun), state: places.state, output: places.output)
    guard let staging = try run.staging() else {
      return .refused(.outputUnwritable, "the staging folder is gone")
    }
    let execution = try RunExecution(
      configuration: configuration, places: places, manifests: manifests, run: run,
      staging: staging, caseInsensitive: options.caseInsensitiveOutput)
    return try execution.carryOut(signals: signals)
  }
}

/// One manifest that was checked, and how to read it again.
struct ManifestSlice {
  let source: ManifestSource
  let check: ManifestCheck
  let entry: RunSummary.ManifestEntry

  init(path: String, options: ManifestOptions, _ configuration: RunConfiguration) throws {
    source = try CheckableManifest.open(
      path: path, options: options, pool: configuration.pool, worker: configuration.worker)
    let digest = SHA256Digest()
    check = try source.check { digest.update($0) }
    entry = RunSummary.ManifestEntry(
      path: DisplayText.escaped(path), sha256: source.isFolder ? nil : digest.finalize().hex)
  }

  /// Jobs that a run of this manifest accounts for.
  var planned: Int { check.jobCount + check.invalidCount + check.skippedCount }
}
