package import RenderModel

/// What the coordinator asks of one job process.
package enum JobRequest: Hashable, Sendable {
  /// Read the header only; the limits are checked by both sides.
  case header(limits: RenderLimits, tolerant: Bool, rawSource: RAWSource)
  /// Render what the header step opened.
  case go(GoRequest)
  /// Look at the outputs of another process, which are open in place of original and files of filters.
  case verify([RenderResult.Output], VerificationDepth)
  /// Try one thing that a sealed process must not be able to do.
  case probe(name: String)
}

package struct GoRequest: Hashable, Sendable {
  package var plan: RenderPlan
  /// The address space from now on, in bytes; below what the process was started with.
  package var addressSpace: UInt64
  /// A fault to inject; honoured only by a worker that was started for tests.
  package var fault: InjectedFault?

  package init(plan: RenderPlan, addressSpace: UInt64, fault: InjectedFault? = nil) {
    self.plan = plan
    self.addressSpace = addressSpace
    self.fault = fault
  }
}

/// What a job process answers.
package enum JobReply: Hashable, Sendable {
  /// The header, and the milliseconds that reading it took.
  case header(AssetHeader, milliseconds: Double)
  case rendered(RenderResult)
  /// The outputs are what they were said to be.
  case verified
  case failed(RenderFailure)
  case probed(refused: Bool, observed: String)
}

/// A misbehaviour for tests of the pool: what a hostile or broken codec could do.
package struct InjectedFault: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Wait for ever in a system call.
    case hang
    /// Compute for ever.
    case spin
    /// Stop itself as by SIGSTOP.
    case stop
    /// Allocate and touch memory without end.
    case memoryGrowth
    case abort
    /// A system call that the filter kills.
    case forbiddenCall
    /// Write to an output without end.
    case outputGrowth
    /// A read through a null pointer.
    case segmentationFault
    /// Tell of a first output that is a pixel wider than it is.
    case falseClaim
    /// Give a first output without its last third.
    case cutOutput
  }

  package var kind: Kind
  /// Rendering has gone on for so long when the fault strikes.
  package var afterMilliseconds: Int

  package init(kind: Kind, afterMilliseconds: Int = 0) {
    self.kind = kind
    self.afterMilliseconds = afterMilliseconds
  }
}
