/// What the coordinator asks of the zygote.
package enum ZygoteRequest: Hashable, Sendable {
  /// Fork one job process.
  ///
  /// Its descriptors travel along, in this order: job socket, original, standard error, the files of
  /// its filters, outputs.
  case spawn(SpawnRequest)
}

package struct SpawnRequest: Hashable, Sendable {
  /// Names the process in all later messages; never used twice.
  package var token: UInt64
  /// The address space that the process can never exceed, in bytes.
  package var addressSpace: UInt64
  /// CPU seconds after which the kernel ends it: a second net behind the deadline.
  package var cpuSeconds: UInt64
  /// The largest output, in bytes.
  package var outputBytes: UInt64
  /// How many of the descriptors are files of the filters.
  package var resourceCount: UInt32

  package init(
    token: UInt64, addressSpace: UInt64, cpuSeconds: UInt64, outputBytes: UInt64,
    resourceCount: UInt32 = 0
  ) {
    self.token = token
    self.addressSpace = addressSpace
    self.cpuSeconds = cpuSeconds
    self.outputBytes = outputBytes
    self.resourceCount = resourceCount
  }
}

/// What the zygote tells the coordinator.
package enum ZygoteEvent: Hashable, Sendable {
  case ready(WorkerDescription)
  /// The zygote cannot work as it was asked to and ends.
  case refused(SandboxRefusal)
  /// A process was forked; its pidfd travels along.
  case spawned(token: UInt64, pid: Int32)
  case spawnFailed(token: UInt64, errno: Int32)
  case reaped(token: UInt64, exit: ProcessExit)
}

/// A sandbox layer that is demanded and missing.
package struct SandboxRefusal: Hashable, Sendable {
  package var layer: String
  package var detail: String
  package init(layer: String, detail: String) {
    self.layer = layer
    self.detail = detail
  }
}

/// How a job process ended and what it used.
package struct ProcessExit: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  package var status: Status
  package var userMicroseconds: Int
  package var systemMicroseconds: Int
  package var peakResidentBytes: Int

  package init(
    status: Status, userMicroseconds: Int, systemMicroseconds: Int, peakResidentBytes: Int
  ) {
    self.status = status
    self.userMicroseconds = userMicroseconds
    self.systemMicroseconds = systemMicroseconds
    self.peakResidentBytes = peakResidentBytes
  }
}

/// What a worker is made of and how it is sealed.
package struct WorkerDescription: Hashable, Sendable {
  /// Versions by name.
  package var engine: [String: String]
  /// The sandbox layers that are active around each job process.
  package var sandbox: [String]

  package init(engine: [String: String], sandbox: [String]) {
    self.engine = engine
    self.sandbox = sandbox
  }
}
