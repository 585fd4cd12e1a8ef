import RenderModel
import WorkerPool

/// What reaches the publisher: a job that its process finished with, or one decided without a process.
enum Completion: Sendable {
  case finished(PoolFinished)
  case settled(JobContext, Outcome)
}
