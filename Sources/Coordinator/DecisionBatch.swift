import Synchronization
import SystemSupport

/// Jobs that are decided one after the other until one is not up to date.
///
/// Going to the reader's thread and back takes longer than to find a job up to date; but what is to be
/// rendered must not wait for others with its original open.
final class DecisionBatch: Sendable {
  private struct State {
    var made: [IntakeDecision] = []
    /// When the job that comes next was begun, nanoseconds of the boot clock; nil between two.
    var begun: UInt64?
    var isOver = false
  }

  private let contexts: [JobContext]
  private let first: Int
  private let decider: IntakeDecider
  private let state = Mutex(State())

  /// Files that have to be read again end a batch early: the limit of a stall is for one job. In
  /// nanoseconds.
  private static let patience: UInt64 = 200_000_000

  init(_ contexts: [JobContext], from first: Int, _ decider: IntakeDecider) {
    self.contexts = contexts
    self.first = first
    self.decider = decider
  }

  /// Runs on the reader's thread.
  func decide() {
    let started = BootClock.now()
    for context in contexts[first...] {
      let now = BootClock.now()
      let isWanted = state.withLock { state in
        if state.isOver || now - started > Self.patience { return false }
        state.begun = now
        return true
      }
      if !isWanted { return }
      let decision = decider.decide(context)
      state.withLock { state in
        state.begun = nil
        if !state.isOver { state.made.append(decision) }
      }
      guard case .fresh = decision else { return }
    }
  }

  /// What was decided, in order, and whether the next job has hung; nothing is added afterwards.
  func end() -> (decisions: [IntakeDecision], isHanging: Bool) {
    state.withLock { state in
      state.isOver = true
      let age = state.begun.map { BootClock.now() - $0 } ?? 0
      return (state.made, age > Self.patience)
    }
  }
}
