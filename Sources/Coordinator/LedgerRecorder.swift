import Ledger
import RenderModel
import Synchronization

/// Tells the ledger of reports that are durable in the journal.
///
/// A ledger that refuses is left behind: the run goes on, and the next start catches it up.
final class LedgerRecorder: Sendable {
  private let ledger: any Ledger
  private let run: String
  private let onNote: @Sendable (String) -> Void
  private let isBehind = Mutex(false)
  private let isTold = Mutex(false)

  init(
    _ ledger: any Ledger, run: String, onNote: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.run = run
    self.onNote = onNote
  }

  /// `bytes`: where these reports end in the journal.
  func record(_ reports: [JobReport], upTo bytes: Int64) {
    isBehind.withLock { isBehind in
      // What comes later must not be taken in before what is missing.
      if isBehind { return }
      do {
        try ledger.absorb(reports, upTo: JournalPosition(run: run, bytes: bytes))
      } catch {
        isBehind = true
        tellOnce("\(error); the run goes on, and the next one brings the ledger up to date")
      }
    }
  }

  /// Replaces what is known of a job whose files were read and found to be what they were.
  ///
  /// No journal says so: a ledger that is made anew has them read once more.
  func refresh(_ entry: LedgerEntry) {
    isBehind.withLock { isBehind in
      if isBehind { return }
      do {
        try ledger.record([entry])
      } catch {
        isBehind = true
        tellOnce("\(error); the run goes on, and the next one brings the ledger up to date")
      }
    }
  }

  /// A ledger that fails once fails again and again.
  func tellOnce(_ words: String) {
    let isFirst = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    if isFirst { onNote(words) }
  }
}
