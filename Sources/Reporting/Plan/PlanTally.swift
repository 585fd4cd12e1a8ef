import RenderModel

/// Adds up what a run would do; holds a few numbers for each cause, however many jobs there are.
package struct PlanTally: Sendable {
  /// Causes that are told apart; what further ones say in brackets is left out.
  static let mostCauses = 500

  struct Cause: Hashable {
    var action: PlannedJob.Action
    var text: String
  }

  struct Amount: Equatable {
    var jobs = 0
    var pixels = 0.0
    /// Jobs without a known number of pixels.
    var unknown = 0
  }

  package private(set) var totals = PlanSummary.Totals()
  private(set) var amounts: [Cause: Amount] = [:]
  private(set) var ledger = PastRenders()
  /// Of what would be rendered.
  private(set) var work = Work()
  private var engines: [String: Int] = [:]

  /// The renders ahead: what is known of each from the last time, and how many are to be estimated.
  struct Work: Equatable {
    var jobs = 0
    var pixels = 0.0
    var unknownPixels = 0
    var cpu = 0.0
    /// Pixels, and jobs of unknown size, whose CPU time is not known.
    var uncostedPixels = 0.0
    var uncostedUnknown = 0
    var replacedBytes = 0.0
    /// Pixels, and jobs of unknown size, that have no outputs yet.
    var newPixels = 0.0
    var newUnknown = 0
  }

  package init() {}

  package mutating func count(
    _ job: PlannedJob, _ cost: PlanCost = PlanCost(), engine: String? = nil
  ) {
    totals.count(job.action)
    ledger.add(cost)
    var cause = Cause(action: job.action, text: Self.cause(of: job))
    if amounts[cause] == nil, amounts.count >= Self.mostCauses {
      cause.text = Self.name(of: cause.text)
    }
    var amount = amounts[cause] ?? Amount()
    amount.jobs += 1
    if let pixels = cost.pixels { amount.pixels += Double(pixels) } else { amount.unknown += 1 }
    amounts[cause] = amount
    if job.action == .fresh, let engine { engines[engine, default: 0] += 1 }
    if job.action == .render { work.add(cost) }
  }

  /// Adds what is known of other jobs, so that a plan of new photos alone has something to go by.
  package mutating func learn(_ cost: PlanCost) { ledger.add(cost) }

  /// Whether anything is known that a quote could rest on.
  package var hasBasis: Bool { ledger.hasBasis }

  /// Fresh jobs whose outputs were made by other versions than these.
  package func madeByOthers(than engine: String) -> Int {
    engines.reduce(0) { $0 + ($1.key == engine ? 0 : $1.value) }
  }

  /// What is shown of jobs that have neither reason nor code.
  private static func cause(of job: PlannedJob) -> String {
    if job.action == .skipped { return job.reason == nil ? "notSelected" : "leftForLater" }
    return job.reason.flatMap { job.action == .kept ? nil : $0 } ?? job.code ?? job.action.rawValue
  }

  static func name(of cause: String) -> String { String(cause.prefix { $0 != "(" }) }
}

extension PlanTally.Work {
  fileprivate mutating func add(_ cost: PlanCost) {
    jobs += 1
    if let known = cost.pixels { pixels += Double(known) } else { unknownPixels += 1 }
    func add(_ sum: inout Double, _ unknown: inout Int) {
      if let known = cost.pixels { sum += Double(known) } else { unknown += 1 }
    }
    if let cpu = cost.cpu { self.cpu += cpu } else { add(&uncostedPixels, &uncostedUnknown) }
    if let bytes = cost.outputBytes {
      replacedBytes += Double(bytes)
    } else {
      add(&newPixels, &newUnknown)
    }
  }
}

/// What past renders took, added up.
struct PastRenders: Equatable {
  private(set) var renders = 0
  private(set) var cpu = 0.0
  private(set) var pixels = 0.0
  private(set) var bytes = 0.0
  /// All photos whose size is known, rendered or not.
  private var sized = 0
  private var sizedPixels = 0.0

  mutating func add(_ cost: PlanCost) {
    guard let known = cost.pixels, known > 0 else { return }
    sized += 1
    sizedPixels += Double(known)
    guard let cpu = cost.cpu, let bytes = cost.outputBytes else { return }
    renders += 1
    self.cpu += cpu
    pixels += Double(known)
    self.bytes += Double(bytes)
  }

  var hasBasis: Bool { renders > 0 }
  /// nil while no photo's size is known.
  var meanPixels: Double? { sized > 0 ? sizedPixels / Double(sized) : nil }
}
