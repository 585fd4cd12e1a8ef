import Ledger
import RenderModel
import Synchronization
import SystemSupport

/// Keeps the content that has ended too many processes away from further ones, for one run.
///
/// It knows what was struck before the run: within a run nothing counts twice.
final class QuarantineGate: Sendable {
  private let rule: Quarantine
  private let memory: Int
  private let askEngine: @Sendable () -> [String: String]?
  /// Strikes by the digest of their content, for copies under other ids.
  private let contents: [String: Strikes]
  private let engine = Mutex<Answer>(.notAsked)

  private enum Answer {
    case notAsked
    /// nil when nobody can tell.
    case known(String?)
  }

  private static let page = 500

  /// `memory`: bytes that all jobs together may have. `engine` is asked once, when it matters.
  init(
    _ rule: Quarantine, memory: Int, ledger: any Ledger,
    engine: @escaping @Sendable () -> [String: String]?
  ) throws(LedgerError) {
    self.rule = rule
    self.memory = memory
    askEngine = engine
    var contents: [String: Strikes] = [:]
    var last: LedgerKey?
    while rule.after > 0 {
      let entries = try ledger.struck(after: last, limit: Self.page)
      guard let end = entries.last else { break }
      last = end.key
      for entry in entries {
        guard let strikes = entry.strikes, rule.isReached(by: strikes) else { continue }
        contents[strikes.source] = strikes
      }
    }
    self.contents = contents
  }

  func limits(of job: Job) -> StrikeLimits {
    StrikeLimits(deadline: job.deadline, memory: memory)
  }

  /// What keeps a job from being tried, told without its content: by its own file's identity.
  func evidence(of context: JobContext, _ entry: LedgerEntry?) -> Strikes? {
    guard let strikes = entry?.strikes, rule.isReached(by: strikes),
      let known = strikes.identity, known == context.asset.identity
    else { return nil }
    return evidence(strikes, context.job)
  }

  /// What keeps a job from being tried, told by the digest of its original.
  func evidence(of context: JobContext, content sha256: String) -> Strikes? {
    contents[sha256].flatMap { evidence($0, context.job) }
  }

  private func evidence(_ strikes: Strikes, _ job: Job) -> Strikes? {
    // What is not known to be the same engine is tried.
    guard let engine = currentEngine() else { return nil }
    return rule.evidence(strikes, engine: engine, within: limits(of: job))
  }

  private func currentEngine() -> String? {
    engine.withLock { engine in
      if case .known(let text) = engine { return text }
      let text = askEngine().map { libraries in
        var all = libraries
        all["minilab"] = ProgramVersion.current
        return EngineVersions.whole(of: all)
      }
      engine = .known(text)
      return text
    }
  }
}

extension JobContext {
  /// The job is left alone; the report says why, and the next run knows it without reading the file.
  func setAside(for strikes: Strikes) -> IntakeDecision {
    var context = self
    context.asset.sha256 = strikes.source
    if context.asset.identity?.isSettled(at: WallClock.now()) != true {
      context.asset.identity = nil
    }
    context.quarantine = strikes
    return .settled(context, strikes.outcome(for: job.id))
  }
}

extension Strikes {
  /// The outcome of a job whose content this is.
  func outcome(for job: String) -> Outcome {
    let other = self.job == job ? "" : " as the job \(DisplayText.escaped(self.job))"
    let times = count == 1 ? "once" : "\(count) times"
    return Outcome(
      .quarantined, code: code, stage: stage.flatMap(RenderStage.init),
      detail: "not tried again: this content ended its process \(times)\(other), last in run "
        + "\(DisplayText.escaped(run))" + (detail.map { " (\($0))" } ?? "")
        + "; minilab quarantine release lets it be tried")
  }
}
