import Glibc
import RenderModel
import Synchronization
import SystemSupport
import WorkerPool
import WorkerProtocol

/// A real pool over the real worker program, for jobs that are made up in a test.
struct PoolHarness {
  var slots = 2
  var memoryBudget = 4 << 30
  var outputBytes = 64 << 20
  var verification = VerificationDepth.header
  var arguments = ["--zygote", "--allow-faults"]
  /// Called on the pool's thread when a job has finished.
  var onFinished: (@Sendable (PoolFinished, PoolInbox) -> Void)?

  struct Result {
    var end: PoolEnd
    var outcomes: [UInt64: PoolOutcome]
    var description: WorkerDescription?
  }

  /// Runs the jobs to the end; the pool has a thread of its own, which outlives its zygote.
  func run(_ jobs: [PoolJob], original: OwnedDescriptor) throws -> Result {
    let inbox = try PoolInbox(capacity: 8)
    var configuration = PoolConfiguration(slots: slots, memoryBudget: memoryBudget)
    configuration.outputBytes = outputBytes
    configuration.verification = verification
    let collected = Mutex<[UInt64: PoolOutcome]>([:])
    let feeder = Threads.start(name: "feeder") {
      for job in jobs {
        // As in a run, where no two jobs share the position in a file.
        let own = try? OwnedDescriptor.open(
          path: "/proc/self/fd/\(original.rawValue)", flags: O_RDONLY)
        if !inbox.submit(PoolRequest(job: job, original: own)) { break }
      }
      inbox.close()
    }
    let observe = onFinished
    let pool = try WorkerPool(
      configuration: configuration,
      settings: WorkerSettings(programPath: BuiltPrograms.worker, arguments: arguments),
      inbox: inbox, signals: nil
    ) { finished in
      collected.withLock { $0[finished.token] = finished.outcome }
      inbox.published(finished.token)
      observe?(finished, inbox)
    }
    let end = try pool.run()
    feeder.join()
    return Result(
      end: end, outcomes: collected.withLock { $0 }, description: pool.workerDescription)
  }

  static func job(
    _ token: UInt64, deadline: Int = 20_000, fault: InjectedFault? = nil,
    plan: RenderPlan = RenderPlan(renditions: [Rendition(name: "full")])
  ) -> PoolJob {
    PoolJob(
      token: token, purpose: .render(plan), deadline: DeadlinePolicy(baseMilliseconds: deadline),
      fault: fault)
  }
}

extension PoolOutcome {
  var failureCode: FailureCode? {
    guard case .failed(let failure) = verdict else { return nil }
    return failure.code
  }

  var isRendered: Bool {
    guard case .rendered = verdict else { return false }
    return true
  }
}
