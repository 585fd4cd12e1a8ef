import RenderModel
import Synchronization
import SystemSupport
import WorkerPool

/// Reads the headers of many pictures in sealed processes, for a selection that orders by them.
struct HeaderSurvey {
  private let library: Directory
  private let pool: PoolConfiguration
  private let worker: WorkerSettings

  init(libraryPath: String, pool: PoolConfiguration, worker: WorkerSettings)
    throws(SystemError)
  {
    library = try Directory(path: libraryPath)
    self.pool = pool
    self.worker = worker
  }

  /// One answer for each path: when the photo was taken; nil when it does not say or cannot be read.
  ///
  /// Called on the program's first thread, as everything that starts a worker.
  func captureDates(of paths: [RelativePath]) throws(SystemError) -> [String?] {
    let inbox = try PoolInbox(capacity: 2 * pool.slots)
    let dates = Mutex<[UInt64: String]>([:])
    let reader = OriginalReader(library: library)
    let feeder = Threads.start(name: "headers") {
      for (index, path) in paths.enumerated() {
        guard case .success(let file) = reader.open(path, limits: RenderLimits()) else { continue }
        let job = PoolJob(token: UInt64(index), purpose: .header)
        if !inbox.submit(PoolRequest(job: job, original: file.descriptor)) { break }
      }
      inbox.close()
    }
    let survey = try WorkerPool(
      configuration: pool, settings: worker, inbox: inbox, signals: nil
    ) { finished in
      if case .header(let header) = finished.outcome.verdict, let date = header.captured {
        dates.withLock { $0[finished.token] = date }
      }
      inbox.published(finished.token)
    }
    _ = try survey.run()
    inbox.close()
    feeder.join()
    return dates.withLock { dates in paths.indices.map { dates[UInt64($0)] } }
  }
}
