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
    var prepared = PreparedSandbox(policy: policy)
    if policy.landlock != .off {
      prepared.landlockABI = support.landlockABI(limit: policy.highestLandlockABI)
      if prepared.landlockABI == nil, policy.landlock == .required {
        throw SandboxError(.layerUnavailable(.landlock), errno: support.landlockErrno)
      }
    }
    if policy.seccomp != .off {
      switch (support.seccomp, Machine.architecture) {
      case (.available, .some(let architecture)):
        let program = FilterCompiler.compile(policy, architecture: architecture)
        guard program.instructions.count <= FilterProgram.longest else {
          throw SandboxError(.filterTooLong)
        }
        prepared.filter = program
      case (.missing(let errno), _) where policy.seccomp == .required:
        throw SandboxError(.layerUnavailable(.seccomp), errno: errno)
      case (.unsupportedMachine, _) where policy.seccomp == .required,
        (.available, nil) where policy.seccomp == .required:
        throw SandboxError(.unsupportedMachine)
      default: break
      }
    }
    return prepared
  }
}

extension SandboxSupport {
  fileprivate var landlockErrno: Int32 {
    guard case .missing(let errno) = landlock else { return 0 }
    return errno
  }
}

/// A policy made ready for this kernel. Holds no descriptor: it may be kept across forks.
package struct PreparedSandbox: Sendable {
  package let policy: SandboxPolicy
  /// nil when Landlock is not used.
  package internal(set) var landlockABI: Int?
  /// nil when seccomp is not used.
  package internal(set) var filter: FilterProgram?

  init(policy: SandboxPolicy) { self.policy = policy }

  /// The layers that `apply` puts in force, for the zygote to tell before the first job.
  package var layers: [String] {
    var layers = [SandboxLayer.noNewPrivileges.rawValue, SandboxLayer.noCapabilities.rawValue]
    if let landlockABI { layers.append("\(SandboxLayer.landlock.rawValue)-abi\(landlockABI)") }
    if filter != nil {
      layers.append(SandboxLayer.seccomp.rawValue)
      if policy.refusesExecutableMemory {
        layers.append(SandboxLayer.noExecutableMemory.rawValue)
      }
    }
    return layers
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
    if let landlockABI {
      let rights = LandlockRights(abi: landlockABI)
      try Self.check(
        minilab_sandbox_landlock_restrict(rights.files, rights.network, rights.scopes), .landlock)
    }
    if let filter {
      if policy.onViolation == .trap {
        try Self.check(minilab_sandbox_report_traps(), .seccomp)
      }
      try Self.load(filter.bound(to: UInt32(bitPattern: getpid())))
    }
    return SandboxReport(layers: layers)
  }

  private static func load(_ filter: [FilterInstruction]) throws(SandboxError) {
    let instructions = filter.map {
      minilab_sandbox_instruction(
        code: $0.code, jump_true: $0.jumpTrue, jump_false: $0.jumpFalse, k: $0.k)
    }
    let result = unsafe instructions.withUnsafeBufferPointer {
      unsafe minilab_sandbox_seccomp_load($0.baseAddress, UInt16(clamping: $0.count))
    }
    try check(result, .seccomp)
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
