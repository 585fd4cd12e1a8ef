import Sandbox
import WorkerProtocol

/// How the sandbox of job processes follows from the worker's command line.
enum WorkerPolicy {
  static func policy(for options: WorkerOptions) -> SandboxPolicy {
    var policy = SandboxPolicy.jobProcess
    policy.requirement = options.bestEffort ? .bestEffort : .required
    policy.maximumLandlockABI = options.landlockABI
    return policy
  }

  static func refusal(for error: SandboxError) -> SandboxRefusal {
    SandboxRefusal(layer: error.layer, detail: error.detail)
  }
}
