import RenderModel

/// The jobs of a journal whose last word is an intent.
///
/// Holds no more than was being published at one moment: a report takes its intent away.
package struct PendingIntents: Sendable {
  // Keyed by bytes: ids that differ only in their Unicode form are different jobs.
  private var intents: [[UInt8]: (order: Int, intent: Intent)] = [:]
  private var order = 0

  package init() {}

  package mutating func read(_ line: JournalLine) {
    switch line {
    case .intent(let intent):
      order += 1
      intents[Array(intent.job.utf8)] = (order, intent)
    case .report(let report): intents[Array(report.job.utf8)] = nil
    case .run, .release, .end: break
    }
  }

  /// In the order in which they were written.
  package var all: [Intent] {
    intents.values.sorted { $0.order < $1.order }.map(\.intent)
  }
}
