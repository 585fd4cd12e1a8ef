package import RenderModel

/// What a pool may use and how patient it is.
package struct PoolConfiguration: Hashable, Sendable {
  /// Jobs that render at the same time.
  package var slots: Int
  /// Bytes that all job processes and unpublished outputs together may take, by estimate.
  package var memoryBudget: Int
  /// Nanoseconds that the header step may take.
  package var headerDeadline: UInt64 = 10_000_000_000
  /// Nanoseconds that a process may take to end after its reply, before it is killed.
  package var exitGrace: UInt64 = 250_000_000
  /// Nanoseconds after a kill when the process is given up as stuck in the kernel.
  package var stallLimit: UInt64 = 5_000_000_000
  /// Nanoseconds that the zygote may take to answer a fork request.
  package var spawnDeadline: UInt64 = 10_000_000_000
  /// Processes that one job may kill before it is not tried again.
  package var maximumAttempts = 2
  /// Zygotes that may be lost without a job finished in between.
  package var maximumZygoteLosses = 5
  /// Jobs that may be finished and not yet published before no further one starts.
  package var maximumUnpublished = 256
  package var verification = VerificationDepth.header
  /// The largest output, in bytes.
  package var outputBytes = 4_000_000_000

  package init(slots: Int, memoryBudget: Int) {
    self.slots = slots
    self.memoryBudget = memoryBudget
  }

  /// Jobs that are read ahead, so that a slot never waits for a header.
  package var lookAhead: Int { slots }
}
