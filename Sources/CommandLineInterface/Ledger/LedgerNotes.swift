import RenderModel
import Synchronization

/// What a ledger has to say, kept until it can be told.
final class LedgerNotes: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  func write(to talk: TextStream) {
    for text in texts.withLock({ $0 }) { talk.writeLine("minilab: " + DisplayText.escaped(text)) }
  }
}
