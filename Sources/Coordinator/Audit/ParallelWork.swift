import Synchronization
import SystemSupport

/// The same work for many items on several threads; the answers come in the order of the items.
enum ParallelWork {
  private struct State<Answer: Sendable> {
    var next = 0
    var answers: [Answer?]
  }

  static func map<Item: Sendable, Answer: Sendable>(
    _ items: [Item], threads: Int, _ work: @escaping @Sendable (Item) -> Answer
  ) -> [Answer] {
    let count = min(threads, items.count)
    if count < 2 { return items.map(work) }
    let state = Shared(State<Answer>(answers: Array(repeating: nil, count: items.count)))
    let others = (0..<count).map { _ in
      Threads.start(name: "files") {
        while let index = state.take(items.count) { state.set(index, work(items[index])) }
      }
    }
    for thread in others { thread.join() }
    return state.answers
  }

  private final class Shared<Answer: Sendable>: Sendable {
    private let state: Mutex<State<Answer>>

    init(_ state: State<Answer>) { self.state = Mutex(state) }

    func take(_ count: Int) -> Int? {
      state.withLock { state in
        guard state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    func set(_ index: Int, _ answer: Answer) { state.withLock { $0.answers[index] = answer } }

    var answers: [Answer] { state.withLock { $0.answers.compactMap { $0 } } }
  }
}
