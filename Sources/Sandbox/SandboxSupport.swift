internal import CSystem
internal import Glibc

/// What the running kernel offers.
package struct SandboxSupport: Sendable, Equatable {
  package enum Landlock: Sendable, Equatable {
    case abi(Int)
    case missing(errno: Int32)
  }

  package enum Filter: Sendable, Equatable {
    case available
    case missing(errno: Int32)
    /// The kernel may know filters, but we have no call list for this processor.
    case unsupportedMachine
  }

  package var landlock: Landlock
  package var seccomp: Filter

  package init(landlock: Landlock, seccomp: Filter) {
    self.landlock = landlock
    self.seccomp = seccomp
  }

  /// Asks the kernel; changes nothing.
  package static func probe() -> SandboxSupport {
    let abi = minilab_sandbox_landlock_abi()
    let landlock: Landlock =
      abi > 0 ? .abi(abi) : .missing(errno: abi == 0 ? EINVAL : Int32(-abi))
    guard Machine.architecture != nil else {
      return SandboxSupport(landlock: landlock, seccomp: .unsupportedMachine)
    }
    let known = minilab_sandbox_seccomp_knows(FilterAction.killProcess)
    let seccomp: Filter = known == 0 ? .available : .missing(errno: Int32(-known))
    return SandboxSupport(landlock: landlock, seccomp: seccomp)
  }

  /// The ABI that a policy would use; nil when there is none.
  package func landlockABI(limit: Int?) -> Int? {
    guard case .abi(let found) = landlock else { return nil }
    let usable = min(found, limit ?? .max, LandlockRights.newestKnownABI)
    return usable >= 1 ? usable : nil
  }

  /// A line for each layer that depends on the kernel, for `minilab doctor`.
  package var lines: [(layer: SandboxLayer, isAvailable: Bool, text: String)] {
    let landlockText: String
    let hasLandlock: Bool
    switch landlock {
    case .abi(let abi):
      (hasLandlock, landlockText) = (true, "ABI \(abi)")
    case .missing(let errno):
      (hasLandlock, landlockText) = (false, Self.reason(errno))
    }
    let filterText: String
    switch seccomp {
    case .available: filterText = "filters with kill-process"
    case .missing(let errno): filterText = Self.reason(errno)
    case .unsupportedMachine: filterText = "no call list for this processor"
    }
    return [
      (.landlock, hasLandlock, landlockText), (.seccomp, seccomp == .available, filterText),
    ]
  }

  /// What an errno means for a layer.
  static func reason(_ errno: Int32) -> String {
    switch errno {
    case ENOSYS: "the kernel was built without it"
    case EOPNOTSUPP: "it is switched off at boot (see lsm= on the kernel's command line)"
    case EPERM, EACCES: "the container or its manager forbids it"
    case 0: "not asked"
    default: "error \(errno)"
    }
  }
}
