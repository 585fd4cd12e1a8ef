import RenderModel
import Synchronization
import SystemSupport

/// What the coordinator remembers of a job while its process works.
struct JobContext: Sendable {
  var token: UInt64
  var job: Job
  var asset: JobReport.Asset
  var assetPath: RelativePath
  var adjustment: JobReport.Adjustment?
  var filters: [FilterStep] = []
  /// The files that the filters read, once all of them are digested.
  var resources: [JobReport.Resource] = []
  /// Those of them that the process reads themselves and not as copies.
  var sharedFiles: [FilterFiles.Found] = []
  var renderKey: String?
  var recipe: String?
  var reason: String?
  /// Whether what is recorded of the job has other names than it has now.
  var hasOtherNames = false
  /// Why it is not tried; nil when it is.
  var quarantine: Strikes?
  /// Device and inode of the original, so that it is never replaced by its own render.
  var sourceStatus: FileStatus?
  /// The original itself when the process reads it and not a copy.
  var sharedOriginal: OwnedDescriptor?
  /// Nanoseconds of the boot clock when the job was taken from the manifest.
  var taken: UInt64
}

extension JobContext {
  /// A job that is taken from the manifest now.
  init(_ job: Job, token: UInt64) {
    self.init(
      token: token, job: job, asset: JobReport.Asset(path: job.asset), assetPath: job.asset,
      taken: BootClock.now())
  }
}

/// The contexts of the jobs that are on their way, shared by intake and publisher.
final class JobTable: Sendable {
  private let contexts = Mutex<[UInt64: JobContext]>([:])

  func insert(_ context: JobContext) {
    contexts.withLock { $0[context.token] = context }
  }

  func take(_ token: UInt64) -> JobContext? {
    contexts.withLock { $0.removeValue(forKey: token) }
  }

  /// Those that nobody finished, in the order of the manifest.
  func takeAll() -> [JobContext] {
    contexts.withLock { contexts in
      defer { contexts = [:] }
      return contexts.values.sorted { $0.token < $1.token }
    }
  }
}
