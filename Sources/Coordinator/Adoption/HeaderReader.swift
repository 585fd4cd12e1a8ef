import RenderModel
import Synchronization
import SystemSupport
import WorkerPool
import WorkerProtocol

/// Reads the headers of many pictures in sealed processes.
struct HeaderReader {
  let pool: PoolConfiguration
  let worker: WorkerSettings
  let isStopped: @Sendable () -> Bool

  /// A picture whose header is wanted, opened only when its turn comes.
  struct Picture: Sendable {
    var open: @Sendable () -> OwnedDescriptor?
    var limits: RenderLimits
    var tolerant = false
    var rawSource = RAWSource.sensor
  }

  /// One answer for each picture; nil for one that could not be opened or was not reached.
  ///
  /// Called on the program's first thread, as everything that starts a worker.
  func headers(
    of pictures: [Picture]
  ) throws -> [Result<AssetHeader, RenderFailure>?] {
    if pictures.isEmpty { return [] }
    let inbox = try PoolInbox(capacity: 2 * pool.slots)
    let answers = Mutex<[UInt64: Result<AssetHeader, RenderFailure>]>([:])
    let isStopped = isStopped
    let feeder = Threads.start(name: "headers") {
      for (index, picture) in pictures.enumerated() {
        if isStopped() { break }
        guard let file = picture.open() else { continue }
        let job = PoolJob(
          token: UInt64(index), purpose: .header, limits: picture.limits,
          tolerant: picture.tolerant, rawSource: picture.rawSource)
        if !inbox.submit(PoolRequest(job: job, original: file)) { break }
      }
      inbox.close()
    }
    defer {
      inbox.close()
      feeder.join()
    }
    let survey = try WorkerPool(
      configuration: pool, settings: worker, inbox: inbox, signals: nil
    ) { finished in
      answers.withLock { $0[finished.token] = Self.answer(finished.outcome.verdict) }
      inbox.published(finished.token)
    }
    try Self.refuse(try survey.run())
    return answers.withLock { answers in pictures.indices.map { answers[UInt64($0)] } }
  }

  private static func answer(
    _ verdict: PoolOutcome.Verdict
  ) -> Result<AssetHeader, RenderFailure> {
    switch verdict {
    case .header(let header): return .success(header)
    case .failed(let failure): return .failure(failure)
    case .timedOut, .cancelled, .rendered, .probed:
      return .failure(
        RenderFailure(code: .unreadable, stage: .header, detail: "its header was not read in time"))
    }
  }

  private static func refuse(_ end: PoolEnd) throws(LedgerAccess.Refusal) {
    switch end {
    case .completed, .stopped: return
    case .sandboxRefused(let refusal):
      throw LedgerAccess.Refusal(
        status: .sandboxUnavailable,
        words: "the sandbox layer \(refusal.layer) is demanded and not available: "
          + "\(refusal.detail); --sandbox=best-effort goes on without it")
    case .workerFailed(let words):
      throw LedgerAccess.Refusal(status: .internalError, words: "the worker failed: \(words)")
    }
  }
}
