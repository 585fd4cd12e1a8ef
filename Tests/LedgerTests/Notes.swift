import Synchronization

/// What a person was told.
final class Notes: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
