internal import Glibc

/// Why a process cannot be sealed.
package struct SandboxError: Error, Equatable, Sendable {
  package enum Code: Sendable, Equatable {
    /// This kernel or container doesn't offer a required layer; found before any job.
    case layerUnavailable(SandboxLayer)
    /// The layer was there, but the kernel refused it now.
    case layerRefused(SandboxLayer)
    /// A thread that was started before would stay outside.
    case severalThreads
    /// No call table for this processor.
    case unsupportedMachine
    /// The policy makes more instructions than the kernel takes: our fault.
    case filterTooLong
  }

  package let code: Code
  /// The kernel's answer; 0 when it wasn't asked.
  package let errno: Int32

  package init(_ code: Code, errno: Int32 = 0) {
    self.code = code
    self.errno = errno
  }

  /// The layer that is missing; nil when it isn't about one.
  package var layer: SandboxLayer? {
    switch code {
    case .layerUnavailable(let layer), .layerRefused(let layer): layer
    case .unsupportedMachine, .filterTooLong: .seccomp
    case .severalThreads: nil
    }
  }
}

extension SandboxError: CustomStringConvertible {
  package var description: String {
    switch code {
    case .layerUnavailable(let layer):
      "sandbox layer \(layer.rawValue) is not available: \(SandboxSupport.reason(errno))"
    case .layerRefused(let layer):
      "sandbox layer \(layer.rawValue) was refused: \(SandboxSupport.reason(errno))"
    case .severalThreads:
      "the process has several threads and would be sealed only in part"
    case .unsupportedMachine:
      "sandbox layer seccomp is not available: no call list for this processor"
    case .filterTooLong:
      "sandbox layer seccomp is not available: the filter is longer than the kernel takes"
    }
  }
}
