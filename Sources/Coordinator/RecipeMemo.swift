import RenderModel
import Synchronization

/// The recipe of the last job that asked: nearly all jobs of a manifest want the same.
final class RecipeMemo: Sendable {
  private struct Known {
    var outputs: [Job.Output]
    var reportTemplate: OutputTemplate?
    var tolerant: Bool
    var rawSource: RAWSource
    var digest: String
  }

  private let last = Mutex<Known?>(nil)

  /// As `Recipe.digest(of:)`.
  func digest(of job: Job) -> String {
    let known = last.withLock { $0 }
    if let known, known.outputs == job.outputs, known.reportTemplate == job.reportTemplate,
      known.tolerant == job.tolerant, known.rawSource == job.rawSource
    {
      return known.digest
    }
    let digest = Recipe.digest(of: job)
    last.withLock {
      $0 = Known(
        outputs: job.outputs, reportTemplate: job.reportTemplate, tolerant: job.tolerant,
        rawSource: job.rawSource, digest: digest)
    }
    return digest
  }
}
