import Sandbox
import WorkerProtocol

/// How the sandbox of job processes follows from the worker's command line.
enum WorkerPolicy {
  static func policy(for options: WorkerOptions) -> SandboxPolicy {
    var policy: SandboxPolicy = options.bestEffort ? .bestEffort : .job
    policy.highestLandlockABI = options.landlockABI
    return policy
  }

  static func refusal(for error: SandboxError) -> SandboxRefusal {
    SandboxRefusal(layer: error.layer?.rawValue ?? "process", detail: "\(error)")
  }
}
