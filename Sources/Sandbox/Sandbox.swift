internal import CSystem
internal import Glibc

/// Seals a process for good.
package enum Sandbox {
  /// Finds what the kernel offers and compiles the filter; once, in the process that forks the jobs.
  ///
  /// - Throws: `layerUnavailable` naming the first required layer that is missing, `unsupportedMachine`.
  package static func prepare(_ policy: SandboxPolicy) throws(SandboxError) -> PreparedSandbox {
    try prepare(policy, on: .probe())
  }

  package static func prepare(
    _ policy: SandboxPolicy, on support: SandboxSupport
  ) throws(SandboxError) -> PreparedSandbox {
    PreparedSandbox(
      policy: policy, landlockABI: try landlockABI(policy, support),
      filter: try filter(policy, support)
    )
  }

  private static func landlockABI(
    _ policy: SandboxPolicy, _ support: SandboxSupport
  ) throws(SandboxError) -> Int? {
    if policy.landlock == .off { return nil }
    if let abi = support.landlockABI(limit: policy.highestLandlockABI) { return abi }
    if policy.landlock == .bestEffort { return nil }
    guard case .missing(let errno) = support.landlock else {
      throw SandboxError(.layerUnavailable(.landlock))
    }
    throw SandboxError(.layerUnavailable(.landlock), errno: errno)
  }

  private static func filter(
    _ policy: SandboxPolicy, _ support: SandboxSupport
  ) throws(SandboxError) -> FilterProgram? {
    if policy.seccomp == .off { return nil }
    switch (support.seccomp, Machine.architecture) {
    case (.available, .some(let architecture)):
      let program = FilterCompiler.compile(policy, architecture: architecture)
      guard program.instructions.count <= FilterProgram.longest else {
        throw SandboxError(.filterTooLong)
      }
      return program
    case _ where policy.seccomp == .bestEffort: return nil
    case (.missing(let errno), _): throw SandboxError(.layerUnavailable(.seccomp), errno: errno)
    case (.unsupportedMachine, _), (.available, nil): throw SandboxError(.unsupportedMachine)
    }
  }
}

/// A policy made ready for this kernel. Holds no descriptor: it may be kept across forks.
///
/// All that can be worked out before the fork is: a fresh child pays for each page that it touches.
package struct PreparedSandbox: Sendable {
  package let policy: SandboxPolicy
  /// nil when Landlock is not used.
  package let landlockABI: Int?
  /// nil when seccomp is not used.
  package let filter: FilterProgram?
  /// The layers that `apply` puts in force, for the zygote to tell before the first job.
  package let layers: [String]

  private let rights: LandlockRights?
  private let instructions: [minilab_sandbox_instruction]

  init(policy: SandboxPolicy, landlockABI: Int?, filter: FilterProgram?) {
    self.policy = policy
    self.landlockABI = landlockABI
    self.filter = filter
    rights = landlockABI.map(LandlockRights.init(abi:))
    instructions = (filter?.instructions ?? []).map {
      minilab_sandbox_instruction(
        code: $0.code, jump_true: $0.jumpTrue, jump_false: $0.jumpFalse, k: $0.k)
    }
    var layers: [SandboxLayer] = [.noNewPrivileges, .noCapabilities]
    if filter != nil {
      layers.append(.seccomp)
      if policy.refusesExecutableMemory { layers.append(.noExecutableMemory) }
    }
    self.layers =
      layers.map(\.rawValue)
      + (landlockABI.map { ["\(SandboxLayer.landlock.rawValue)-abi\($0)"] } ?? [])
  }

  /// Seals the calling process for good.
  ///
  /// Call it after the fork, with one thread, when limits are set and foreign descriptors closed, and
  /// before the first foreign byte. It needs one free descriptor number for a moment. After an error
  /// the process may be sealed in part: end it.
  package func apply() throws(SandboxError) -> SandboxReport {
    guard minilab_sandbox_has_one_thread() != 0 else { throw SandboxError(.severalThreads) }
    // Swift's backtracer lists threads and starts a program: every crash would look like a violation.
    minilab_sandbox_default_crash_signals()
    try Self.check(minilab_sandbox_no_new_privileges(), .noNewPrivileges)
    try Self.check(minilab_sandbox_drop_capabilities(), .noCapabilities)
    if let rights {
      try Self.check(
        minilab_sandbox_landlock_restrict(rights.files, rights.network, rights.scopes), .landlock)
    }
    if let filter { try load(filter) }
    return SandboxReport(layers: layers)
  }

  private func load(_ filter: FilterProgram) throws(SandboxError) {
    if policy.onViolation == .trap {
      try Self.check(minilab_sandbox_report_traps(), .seccomp)
    }
    var bound = instructions
    let process = UInt32(bitPattern: getpid())
    for slot in filter.processSlots { bound[slot].k = process }
    let result = unsafe bound.withUnsafeBufferPointer {
      unsafe minilab_sandbox_seccomp_load($0.baseAddress, UInt16(clamping: $0.count))
    }
    try Self.check(result, .seccomp)
  }

  private static func check(_ result: Int, _ layer: SandboxLayer) throws(SandboxError) {
    guard result == 0 else { throw SandboxError(.layerRefused(layer), errno: Int32(-result)) }
  }
}

/// What is in force around this process from now on.
package struct SandboxReport: Sendable, Equatable {
  /// As in a job report's `sandbox`: `landlock-abi7`, `seccomp`, …
  package let layers: [String]

  package init(layers: [String]) { self.layers = layers }
}
