import Glibc
import Journal
import Ledger
import RenderModel
import Reporting
import SystemSupport

/// Shortens the journals of old runs to what is still the last word, and removes runs that have none.
///
/// Whoever uses it holds the state folder's lock, and the ledger contains all journals.
package struct JournalCompaction {
  package struct Result: Sendable, Equatable {
    /// Journals that were shortened.
    package var shortened = 0
    /// Runs whose folder is gone.
    package var removed = 0
    /// Lines that are gone with them.
    package var lines = 0
    /// Bytes of all journals before and after.
    package var before: Int64 = 0
    package var after: Int64 = 0

    /// What was done, for a person.
    package var words: String {
      "\(shortened) journals of old runs were shortened and \(removed) runs removed: "
        + "\(AmountText.bytes(before)) became \(AmountText.bytes(after))"
    }
  }

  let state: Directory
  let output: Directory
  let ledger: any Ledger
  /// Newest runs that are left as they are; at least one.
  var keep: Int
  /// Whether folders of older runs go when nothing in them is a last word.
  var removesFolders: Bool
  var isStopped: () -> Bool = { false }

  private static let sizeName = Array("compacted-size".utf8)

  /// After a run: only when it is worth it.
  ///
  /// `keepRuns`: nil keeps all folders.
  static func afterRun(
    state: Directory, output: Directory, ledger: any Ledger, keepRuns: Int?,
    isStopped: @escaping () -> Bool
  ) throws -> Result {
    let compaction = JournalCompaction(
      state: state, output: output, ledger: ledger, keep: keepRuns ?? 1,
      removesFolders: keepRuns != nil, isStopped: isStopped)
    let journals = try compaction.journals()
    let total = journals.reduce(0) { $0 + $1.length }
    let decision = CompactionPolicy.decide(
      total: total, live: try compaction.lastSize(),
      largest: journals.reduce(0) { max($0, $1.length) }, old: keepRuns.map { journals.count - $0 })
    switch decision {
    case .nothing: return Result()
    case .removeSilent: return try compaction.removeSilent(journals)
    case .scan: return try compaction.perform(journals, isWorthHalf: keepRuns == nil)
    }
  }

  /// As `minilab ledger compact`; `keepRuns`: nil keeps all folders.
  package static func perform(
    _ access: LibraryAccess, keepRuns: Int?
  ) throws(LedgerAccess.Refusal) -> Result {
    try access.with { places in
      do {
        return try JournalCompaction(
          state: places.state, output: places.output, ledger: places.ledger, keep: keepRuns ?? 1,
          removesFolders: keepRuns != nil, isStopped: access.isStopped
        ).perform()
      } catch is CompactionScan.Stopped {
        throw LedgerAccess.Refusal(
          status: .interrupted, words: "stopped while the journals were read; nothing was changed")
      }
    }
  }

  /// Because somebody asked for it.
  func perform() throws -> Result { try perform(try journals(), isWorthHalf: false) }

  /// `isWorthHalf`: journals are left alone unless more than half of the old bytes can go.
  private func perform(
    _ journals: [CompactionScan.Journal], isWorthHalf: Bool
  ) throws -> Result {
    guard try isCaughtUp(journals) else { return Result() }
    let scan = CompactionScan(journals, isStopped: isStopped) { run in
      try RunFolder.open(run, state: state, output: output).directory
    }
    do {
      try scan.perform()
    } catch is CompactionScan.Undecidable {
      throw JournalError(
        .notReadable, "a journal has lines of a later version, so none is compacted")
    }
    let old = scan.journals.filter(\.isOld)
    let gone = old.reduce(0) { $0 + $1.supersededBytes }
    let total = journals.reduce(0) { $0 + $1.length }
    if isWorthHalf, 2 * gone <= old.reduce(0, { $0 + $1.length }) {
      try remember(total - gone)
      return Result()
    }
    return try carryOut(old, total: total)
  }

  private func carryOut(_ old: [CompactionScan.Journal], total: Int64) throws -> Result {
    var result = Result(before: total, after: total)
    var changes: [CompactionCommit.Change] = []
    for journal in old {
      if removesFolders, journal.words == 0 {
        changes.append(.remove(journal.run))
        result.removed += 1
        result.lines += journal.superseded.count
        result.after -= journal.length
      } else if !journal.superseded.isEmpty {
        changes.append(
          .shorten(
            journal.run, from: journal.length, without: Self.gaps(journal.superseded)))
        result.shortened += 1
        result.lines += journal.superseded.count
        result.after -= journal.supersededBytes
      }
    }
    if !changes.isEmpty {
      try CompactionCommit(state: state).carryOut(changes, ledger: ledger)
    }
    try remember(result.after)
    return result
  }

  /// Runs whose journal is only its first and last line: nothing was to be done.
  private func removeSilent(_ journals: [CompactionScan.Journal]) throws -> Result {
    guard try isCaughtUp(journals) else { return Result() }
    var silent = journals.filter { $0.isOld && $0.length <= Self.silentLength }
    for index in silent.indices {
      let scan = CompactionScan([silent[index]], isStopped: isStopped) { run in
        try RunFolder.open(run, state: state, output: output).directory
      }
      do {
        try scan.perform()
        silent[index] = scan.journals[0]
      } catch is CompactionScan.Undecidable {
        silent[index].words = 1
      }
    }
    // An intent or report that another one of these lines replaces still counts: only silence goes.
    silent.removeAll { $0.words > 0 || !$0.superseded.isEmpty }
    let total = journals.reduce(0) { $0 + $1.length }
    if silent.isEmpty { return Result(before: total, after: total) }
    try CompactionCommit(state: state).carryOut(
      silent.map { .remove($0.run) }, ledger: ledger)
    return Result(
      removed: silent.count, before: total, after: total - silent.reduce(0) { $0 + $1.length })
  }

  private static let silentLength: Int64 = 64 << 10

  private func journals() throws -> [CompactionScan.Journal] {
    let runs = try RunFolder.identifiers(state: state)
    return try runs.enumerated().map { index, run in
      CompactionScan.Journal(
        run: run, length: try RunFolder.open(run, state: state, output: output).journalLength(),
        isOld: index < runs.count - max(1, keep))
    }
  }

  /// A ledger that is behind has to read what is there first.
  private func isCaughtUp(_ journals: [CompactionScan.Journal]) throws -> Bool {
    let known = Dictionary(
      try ledger.positions().map { ($0.run, $0.bytes) }, uniquingKeysWith: { _, later in later })
    return journals.allSatisfy { $0.length == 0 || known[$0.run.text] == $0.length }
  }

  /// Neighbouring lines as one gap.
  private static func gaps(_ lines: [CompactionScan.LinePlace]) -> [Range<Int64>] {
    var gaps: [Range<Int64>] = []
    for line in lines.sorted(by: { $0.offset < $1.offset }) {
      let end = line.offset + Int64(line.length)
      if let last = gaps.last, last.upperBound == line.offset {
        gaps[gaps.count - 1] = last.lowerBound..<end
      } else {
        gaps.append(line.offset..<end)
      }
    }
    return gaps
  }

  // MARK: - What was left the last time

  private func remember(_ bytes: Int64) throws {
    try AtomicFile.write(state, Self.sizeName, Array("\(bytes)\n".utf8))
  }

  private func lastSize() throws -> Int64 {
    guard try state.status(Self.sizeName) != nil else { return 0 }
    let file = try state.openBeneath(Self.sizeName, flags: O_RDONLY | O_NONBLOCK)
    let text = String(decoding: try FileTransfer.readAll(file, limit: 64), as: UTF8.self)
    return Int64(text.prefix { $0.isNumber }) ?? 0
  }
}
