/// What a sealed process may still do, as a value.
///
/// The default is what a job gets: no path, no network, no other process, no executable memory, every
/// layer required.
package struct SandboxPolicy: Sendable, Equatable {
  package enum ViolationResponse: Sendable, Equatable {
    /// The kernel ends the process with SIGSYS.
    case kill
    /// SIGSYS is caught: the call's name goes to descriptor 2 and the process exits with 159.
    ///
    /// For finding out what a codec needs. Not for production: the code that broke the rule lives on
    /// and could have replaced the handler.
    case trap
  }

  package var landlock: LayerRequirement
  package var seccomp: LayerRequirement
  /// The Landlock ABI to stay at or below, as on an older kernel; nil for all that we know.
  package var highestLandlockABI: Int?
  package var onViolation: ViolationResponse
  package var refusesExecutableMemory: Bool

  package init(
    landlock: LayerRequirement = .required, seccomp: LayerRequirement = .required,
    highestLandlockABI: Int? = nil, onViolation: ViolationResponse = .kill,
    refusesExecutableMemory: Bool = true
  ) {
    self.landlock = landlock
    self.seccomp = seccomp
    self.highestLandlockABI = highestLandlockABI
    self.onViolation = onViolation
    self.refusesExecutableMemory = refusesExecutableMemory
  }

  /// A job's process: every layer or nothing.
  package static let job = SandboxPolicy()

  /// What `--sandbox=best-effort` asks for.
  package static let bestEffort = SandboxPolicy(landlock: .bestEffort, seccomp: .bestEffort)
}
