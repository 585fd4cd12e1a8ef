import Glibc
import RenderModel
package import SystemSupport

/// Puts a dead run in order: interrupted replacements are completed or left, its temporaries removed.
///
/// May itself be interrupted at any point and started again.
package struct Recovery {
  /// The SHA-256 of a whole file in lower-case hexadecimal.
  package typealias Digest = (OwnedDescriptor) throws -> String

  package struct Result: Equatable, Sendable {
    package var run: String
    /// Jobs whose replacement is complete and reported now.
    package var completed: [String] = []
    /// Jobs whose replacement could not be completed; they will be done again.
    package var left: [String] = []
    package var corruptLines = 0
    /// Whether the last line was cut off by the run's death.
    package var hadTornLine = false
  }

  private let folder: RunFolder
  private let output: Directory
  private let digest: Digest
  private let staging: Directory?

  /// Recovers one run; the caller holds the state folder's lock, so the run is dead.
  package static func recover(
    _ folder: RunFolder, output: Directory, finished: String, digest: @escaping Digest
  ) throws(JournalError) -> Result {
    let recovery = Recovery(
      folder: folder, output: output, digest: digest, staging: try folder.staging())
    return try recovery.carryOut(finished: finished)
  }

  private func carryOut(finished: String) throws(JournalError) -> Result {
    var result = Result(run: folder.run)
    var pending = PendingIntents()
    var wholeLength: Int64?
    if var reader = try JournalReader.open(folder.directory) {
      while let line = try reader.next() { pending.read(line) }
      result.corruptLines = reader.corruptCount
      result.hadTornLine = reader.tornBytes > 0
      wholeLength = reader.wholeLength
    }

    var reports: [JobReport] = []
    for intent in pending.all {
      if complete(intent) {
        reports.append(Self.report(of: intent))
        result.completed.append(intent.job)
      } else {
        result.left.append(intent.job)
      }
    }
    if let wholeLength {
      let writer = try JournalWriter(resuming: folder.directory, wholeLength: wholeLength)
      try writer.append(reports.map { .report($0) })
      try writer.synchronize()
      try removeTemporaries()
      try writer.append([.end(RunEnd(run: folder.run, finished: finished, totals: nil))])
      try writer.synchronize()
    } else {
      try removeTemporaries()
      try folder.removeIfEmpty()
    }
    return result
  }

  private func removeTemporaries() throws(JournalError) {
    try folder.removeStaging()
    try JournalError.wrapping(.folder, folder.run) { () throws(SystemError) in
      for entry in try folder.directory.entries() where AtomicFile.isTemporary(entry.name) {
        try folder.directory.remove(entry.name)
      }
    }
  }

  /// Whether all names of the set are in place, durably. A name that can't be put in place is for
  /// the job, when it is done again, to explain.
  private func complete(_ intent: Intent) -> Bool {
    let decision = RecoveryDecision.decide(intent.names.map(find))
    guard case .complete(let renaming) = decision else { return false }
    do {
      for index in renaming { try place(intent.names[index]) }
      for name in intent.names {
        guard let path = name.relativePath else { return false }
        try output.makeDirectories(path.directory.bytes).synchronize()
      }
      try staging?.synchronize()
      return true
    } catch {
      return false
    }
  }

  private func find(_ name: Intent.Name) -> RecoveryDecision.Finding {
    guard let path = name.relativePath else { return .nowhere }
    if let staging, holds(staging, Array(name.staged.utf8), name) { return .staged }
    return holds(output, path.bytes, name) ? .placed : .nowhere
  }

  /// A file that can't be read is as good as none.
  private func holds(_ directory: Directory, _ path: [UInt8], _ name: Intent.Name) -> Bool {
    do {
      // Without O_NONBLOCK a pipe somebody left under the name would block.
      let file = try directory.openBeneath(path, flags: O_RDONLY | O_NONBLOCK)
      let status = try FileStatus(of: file)
      guard status.kind == .regular, status.size == Int64(name.bytes) else { return false }
      return try digest(file) == name.sha256
    } catch {
      return false
    }
  }

  private func place(_ name: Intent.Name) throws(SystemError) {
    guard let path = name.relativePath, let staging else { return }
    _ = try output.makeDirectories(path.directory.bytes)
    try staging.rename(Array(name.staged.utf8), to: output, path.bytes)
  }

  /// The report that the dead run would have written. Its outputs were renamed just now, so their
  /// identities can't be trusted yet and are left out: they are read once more when it matters.
  private static func report(of intent: Intent) -> JobReport {
    var report = intent.report
    for index in report.renditions.indices { report.renditions[index].identity = nil }
    return report
  }
}
