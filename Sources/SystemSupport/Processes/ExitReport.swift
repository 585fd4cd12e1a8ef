import CSystem

/// How a process ended and what it used.
package struct ExitReport: Sendable, Equatable {
  package enum Status: Sendable, Equatable {
    /// It ended by itself, with this exit status.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)
  }

  package let status: Status
  package let userMicroseconds: Int64
  package let systemMicroseconds: Int64
  /// Highest resident size. A forked process starts from its parent's.
  package let peakResidentBytes: Int64

  package init(
    status: Status, userMicroseconds: Int64, systemMicroseconds: Int64, peakResidentBytes: Int64
  ) {
    self.status = status
    self.userMicroseconds = userMicroseconds
    self.systemMicroseconds = systemMicroseconds
    self.peakResidentBytes = peakResidentBytes
  }

  init(_ raw: minilab_exit) {
    self.init(
      status: raw.signalled != 0 ? .signalled(raw.code) : .exited(raw.code),
      userMicroseconds: raw.user_microseconds, systemMicroseconds: raw.system_microseconds,
      peakResidentBytes: raw.peak_resident_bytes)
  }
}
