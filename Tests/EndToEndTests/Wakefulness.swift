import Glibc
import Synchronization
import SystemSupport

/// How late this machine wakes a thread that does nothing but sleep, while something else goes on.
final class Wakefulness {
  private let state = SleeperState()
  private let sleeper: JoinableThread

  init() {
    let state = state
    sleeper = Threads.start(name: "sleeper") {
      while !state.isOver {
        let due = BootClock.now() + 5_000_000
        usleep(5_000)
        state.note(Double(BootClock.now()) - Double(due))
      }
    }
  }

  /// The longest delay since the beginning, in milliseconds.
  func end() -> Double {
    state.finish()
    sleeper.join()
    return max(0, state.longest) / 1_000_000
  }
}

private final class SleeperState: Sendable {
  private let values = Mutex<(isOver: Bool, longest: Double)>((false, 0))

  var isOver: Bool { values.withLock { $0.isOver } }
  var longest: Double { values.withLock { $0.longest } }
  func finish() { values.withLock { $0.isOver = true } }
  func note(_ delay: Double) { values.withLock { $0.longest = max($0.longest, delay) } }
}
