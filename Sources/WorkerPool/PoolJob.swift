package import RenderModel
package import WorkerProtocol

/// What the pool's decisions need to know of a job; its descriptors stay with the shell.
package struct PoolJob: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    case render(RenderPlan)
    /// Only the header is wanted.
    case header
    /// A sealed process tries one forbidden thing.
    case probe(String)
  }

  package var token: UInt64
  package var purpose: Purpose
  package var deadline: DeadlinePolicy
  package var limits: RenderLimits
  package var tolerant: Bool
  package var rawSource: RAWSource
  package var fault: InjectedFault?
  /// Bytes of the files that the filters read, all together.
  package var resourceBytes: Int

  package init(
    token: UInt64, purpose: Purpose, deadline: DeadlinePolicy = DeadlinePolicy(),
    limits: RenderLimits = RenderLimits(), tolerant: Bool = false,
    rawSource: RAWSource = .sensor, fault: InjectedFault? = nil, resourceBytes: Int = 0
  ) {
    self.token = token
    self.purpose = purpose
    self.deadline = deadline
    self.limits = limits
    self.tolerant = tolerant
    self.rawSource = rawSource
    self.fault = fault
    self.resourceBytes = resourceBytes
  }

  package var renditionCount: Int { plan?.renditions.count ?? 0 }

  package var resourceCount: Int { plan?.resources.count ?? 0 }

  private var plan: RenderPlan? {
    guard case .render(let plan) = purpose else { return nil }
    return plan
  }

  /// Why no process can be given this job; nil when one can.
  var refusal: RenderFailure? {
    guard let plan else { return nil }
    // Existing outputs, which go in again, come on top.
    let resources = plan.resources.count - (plan.refreshesMetadata ? plan.renditions.count : 0)
    guard resources + plan.renditions.count <= ProtocolVersion.maximumFiles else {
      return RenderFailure(
        code: resources <= 0 ? .invalidJob : .invalidAdjustment, stage: .intake,
        detail:
          "\(resources) files of filters and profiles and \(plan.renditions.count) renditions "
          + "are more than the \(ProtocolVersion.maximumFiles) that one job may have together; "
          + "name fewer files, or give the renditions to several jobs")
    }
    let bytes = JobRequest.go(GoRequest(plan: plan, addressSpace: 0, fault: fault)).encoded().count
    guard bytes <= ProtocolVersion.maximumMessageBytes else {
      return RenderFailure(
        code: .invalidAdjustment, stage: .intake,
        detail: "filters and renditions take \(bytes) bytes, more than the "
          + "\(ProtocolVersion.maximumMessageBytes) that one job may have; "
          + "use fewer filters, or curves of fewer points")
    }
    return nil
  }
}

/// What became of a job in the pool.
package struct PoolOutcome: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case rendered(RenderResult)
    case header(AssetHeader)
    case probed(refused: Bool, observed: String)
    case failed(RenderFailure)
    /// Killed at its deadline in this stage.
    case timedOut(RenderStage)
    case cancelled
  }

  package var verdict: Verdict
  package var attempt: Int
  /// nil when the header step did not get so far.
  package var header: AssetHeader?
  package var usage: ProcessUsage
  /// Milliseconds.
  package var queueTime: Double
  package var headerTime: Double
  package var totalTime: Double
  /// Milliseconds; nil when rendering never began.
  package var deadlineLimit: Double?
  /// Milliseconds past the deadline when the end was confirmed; nil unless killed at it.
  package var overshoot: Double?
  /// Whether the content crashed, hung or ran out of memory, rather than being refused or unlucky.
  package var isStrike: Bool

  package init(
    verdict: Verdict, attempt: Int, header: AssetHeader?, usage: ProcessUsage, queueTime: Double,
    headerTime: Double, totalTime: Double, deadlineLimit: Double?, overshoot: Double?,
    isStrike: Bool = false
  ) {
    self.verdict = verdict
    self.attempt = attempt
    self.header = header
    self.usage = usage
    self.queueTime = queueTime
    self.headerTime = headerTime
    self.totalTime = totalTime
    self.deadlineLimit = deadlineLimit
    self.overshoot = overshoot
    self.isStrike = isStrike
  }
}

/// What the processes of one job used, all attempts together.
package struct ProcessUsage: Hashable, Sendable {
  package var cpuMicroseconds = 0
  package var peakResidentBytes = 0
  package init() {}

  mutating func add(_ exit: ProcessExit) {
    cpuMicroseconds += exit.userMicroseconds + exit.systemMicroseconds
    peakResidentBytes = max(peakResidentBytes, exit.peakResidentBytes)
  }
}
