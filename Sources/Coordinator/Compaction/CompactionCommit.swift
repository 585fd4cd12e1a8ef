import Glibc
import Journal
import Ledger
import RenderModel
import SystemSupport

/// Puts shorter journals in the place of others, all or none, whatever interrupts it.
///
/// They are written into `compacting/` and synced; its new name `compacted/` is the decision. From then on
/// every start carries it out before it looks at a journal.
struct CompactionCommit {
  let state: Directory

  /// What becomes of one run.
  enum Change: Equatable {
    /// The journal without these bytes; `from` is its length before.
    case shorten(RunIdentifier, from: Int64, without: [Range<Int64>])
    case remove(RunIdentifier)
  }

  private static let writing = Array("compacting".utf8)
  private static let decided = Array("compacted".utf8)
  private static let plan = Array("plan".utf8)

  func carryOut(_ changes: [Change], ledger: any Ledger) throws {
    try decide(changes)
    try finish(ledger: ledger)
  }

  /// Writes everything down; nothing that others see has changed before it returns.
  func decide(_ changes: [Change]) throws {
    if try state.status(Self.writing) != nil { try state.removeTree(Self.writing) }
    let folder = try state.makeDirectories(Self.writing)
    var lines = ""
    for change in changes {
      switch change {
      case .shorten(let run, let length, let gaps):
        let new = try write(run, length, gaps, in: folder)
        lines += "\(run.text) \(length) \(new)\n"
      case .remove(let run): lines += "\(run.text) - -\n"
      }
    }
    try AtomicFile.write(folder, Self.plan, Array((lines + "end\n").utf8))
    try folder.synchronize()
    try state.rename(Self.writing, to: state, Self.decided)
    try state.synchronize()
  }

  private func write(
    _ run: RunIdentifier, _ length: Int64, _ gaps: [Range<Int64>], in folder: Directory
  ) throws -> Int64 {
    let old = try journalFolder(run).openBeneath(JournalWriter.fileName, flags: O_RDONLY)
    let new = try folder.openBeneath(
      run.bytes, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
    var total: Int64 = 0
    var start: Int64 = 0
    for gap in gaps + [length..<length] {
      if start < gap.lowerBound {
        try FileTransfer.copy(from: old, to: new, range: start..<gap.lowerBound)
        total += gap.lowerBound - start
      }
      start = gap.upperBound
    }
    try FileTransfer.synchronize(new)
    return total
  }

  private func journalFolder(_ run: RunIdentifier) throws(SystemError) -> Directory {
    try state.openDirectory(Array("runs/".utf8) + run.bytes)
  }

  // MARK: - Carrying out

  /// Carries out what was decided, and forgets what was not; nothing to do at nearly every start.
  func finish(ledger: any Ledger) throws {
    if try state.status(Self.writing) != nil { try state.removeTree(Self.writing) }
    guard try state.status(Self.decided) != nil else { return }
    let folder = try state.openDirectory(Self.decided)
    for step in try steps(folder) {
      if let lengths = step.lengths {
        try replace(step.run, from: folder)
        try move(step.run, from: lengths.old, to: lengths.new, ledger)
      } else {
        let path = Array("runs/".utf8) + step.run.bytes
        if try state.status(path) != nil { try state.removeTree(path) }
      }
    }
    if try state.status(Array("runs".utf8)) != nil {
      try state.openDirectory(Array("runs".utf8)).synchronize()
    }
    // Under the other name first: half removed it must not look like a decision.
    try state.rename(Self.decided, to: state, Self.writing)
    try state.synchronize()
    try state.removeTree(Self.writing)
  }

  private struct Step {
    var run: RunIdentifier
    /// nil: the run's folder goes.
    var lengths: (old: Int64, new: Int64)?
  }

  private func steps(_ folder: Directory) throws -> [Step] {
    let file = try folder.openBeneath(Self.plan, flags: O_RDONLY)
    let text = String(
      decoding: try FileTransfer.readAll(file, limit: 64 << 20), as: UTF8.self)
    var steps: [Step] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let run = RunIdentifier(name: Array(words[0].utf8)) else { continue }
      let lengths = Int64(words[1]).flatMap { old in Int64(words[2]).map { (old: old, new: $0) } }
      steps.append(Step(run: run, lengths: lengths))
    }
    return steps
  }

  private func replace(_ run: RunIdentifier, from folder: Directory) throws {
    // It is gone from here when an earlier start came so far.
    guard try folder.status(run.bytes) != nil else { return }
    let target = try journalFolder(run)
    try folder.rename(run.bytes, to: target, JournalWriter.fileName)
    try target.synchronize()
  }

  /// A ledger that contained the whole journal contains the whole of the shorter one.
  private func move(
    _ run: RunIdentifier, from old: Int64, to new: Int64, _ ledger: any Ledger
  ) throws {
    let known = try ledger.positions().first { $0.run == run.text }?.bytes
    guard let known, known != new else { return }
    if known == old {
      try ledger.record([], upTo: JournalPosition(run: run.text, bytes: new))
    } else {
      // It was behind: where it would go on is not there any more.
      try ledger.clear()
    }
  }
}
