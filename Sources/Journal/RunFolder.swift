import Glibc
package import SystemSupport

/// The folder of one run in the state folder, and its staging folder on the output's file system.
///
/// Whoever uses one holds the state folder's lock, so every other run in it is over or dead. Where
/// the state is not the output's own, staging has a place apart: whoever holds the lock of the
/// output's own state would take a live run's folder for one of its dead.
package struct RunFolder: Sendable {
  package static let summaryName = Array("summary.json".utf8)

  package let identifier: RunIdentifier
  /// `STATE/runs/RUN`
  package let directory: Directory
  private let output: Directory
  /// Beneath the output.
  private let runPath: [UInt8]

  private init(
    _ identifier: RunIdentifier, _ directory: Directory, state: Directory, output: Directory
  ) throws(SystemError) {
    self.identifier = identifier
    self.directory = directory
    self.output = output
    let own = try output.status(Array(".minilab".utf8))
    let used = try FileStatus(of: state.descriptor)
    let isOwn = own?.inode == used.inode && own?.device == used.device
    runPath = Array((isOwn ? ".minilab/runs/" : ".minilab/staging/").utf8) + identifier.bytes
  }

  package var run: String { identifier.text }

  /// Makes the folder and its staging folder, durable and with the umask's modes.
  package static func create(
    _ identifier: RunIdentifier = RunIdentifier(), state: Directory, output: Directory
  ) throws(JournalError) -> RunFolder {
    try JournalError.wrapping(.folder, identifier.text) { () throws(SystemError) in
      let directory = try state.makeDirectories(Array("runs/".utf8) + identifier.bytes)
      let folder = try RunFolder(identifier, directory, state: state, output: output)
      _ = try output.makeDirectories(folder.stagingPath)
      return folder
    }
  }

  /// The names of all runs of a state folder, oldest first; what is no run's name is passed over.
  package static func identifiers(state: Directory) throws(JournalError) -> [RunIdentifier] {
    try JournalError.wrapping(.folder, "runs") { () throws(SystemError) in
      guard try state.status(Array("runs".utf8)) != nil else { return [] }
      return try state.openDirectory(Array("runs".utf8)).entries()
        .compactMap { $0.kind == .directory ? RunIdentifier(name: $0.name) : nil }.sorted()
    }
  }

  /// Opens the folder of a run that is there.
  package static func open(
    _ identifier: RunIdentifier, state: Directory, output: Directory
  ) throws(JournalError) -> RunFolder {
    try JournalError.wrapping(.folder, identifier.text) { () throws(SystemError) in
      try RunFolder(
        identifier, try state.openDirectory(Array("runs/".utf8) + identifier.bytes), state: state,
        output: output)
    }
  }

  /// All runs of a state folder, oldest first, each with its folder open: for few runs.
  package static func all(
    state: Directory, output: Directory
  ) throws(JournalError) -> [RunFolder] {
    var folders: [RunFolder] = []
    for identifier in try identifiers(state: state) {
      folders.append(try open(identifier, state: state, output: output))
    }
    return folders
  }

  /// Bytes of the journal; 0 when the run never came to have one.
  package func journalLength() throws(JournalError) -> Int64 {
    try JournalError.wrapping(.notReadable, run) { () throws(SystemError) in
      try directory.status(JournalWriter.fileName)?.size ?? 0
    }
  }

  /// The runs that died or left something behind, oldest first: to be recovered in this order, and
  /// before any new job, so that no old bytes replace newer ones.
  package static func unfinished(
    state: Directory, output: Directory
  ) throws(JournalError) -> [RunFolder] {
    var folders: [RunFolder] = []
    for folder in try all(state: state, output: output) where try !folder.isFinished() {
      folders.append(folder)
    }
    return folders
  }

  /// The staging folder; nil when it is not there.
  package func staging() throws(JournalError) -> Directory? {
    try JournalError.wrapping(.folder, run) { () throws(SystemError) in
      do throws(SystemError) {
        return try output.openDirectory(stagingPath)
      } catch let error where error.isNotFound {
        return nil
      }
    }
  }

  /// Removes the staging folder with all that is in it, and this run's folder beside the output
  /// when nothing else is in that.
  package func removeStaging() throws(JournalError) {
    try JournalError.wrapping(.folder, run) { () throws(SystemError) in
      let parent: Directory
      do throws(SystemError) {
        parent = try output.openDirectory(runPath)
      } catch let error where error.isNotFound {
        return
      }
      if try parent.status(Array("staging".utf8)) != nil {
        try parent.removeTree(Array("staging".utf8))
        try parent.synchronize()
      }
      if try parent.entries().isEmpty { try output.removeTree(runPath) }
    }
  }

  /// Whether the run was carried through and left nothing behind.
  package func isFinished() throws(JournalError) -> Bool {
    guard try staging() == nil else { return false }
    return try endsWithEnd()
  }

  /// Looks at the last few kilobytes only: an end line is short.
  private func endsWithEnd() throws(JournalError) -> Bool {
    guard var reader = try JournalReader.openTail(directory, bytes: 4096) else { return false }
    var last: JournalLine?
    while let line = try reader.next() { last = line }
    guard case .end? = last else { return false }
    return reader.tornBytes == 0
  }

  /// Beneath the output.
  package var stagingPath: [UInt8] { runPath + Array("/staging".utf8) }
}

extension JournalReader {
  /// A reader near the end of a journal; its first line is usually cut and counted as corrupt.
  fileprivate static func openTail(
    _ run: Directory, bytes: Int64
  ) throws(JournalError) -> JournalReader? {
    try JournalError.wrapping(.notReadable) { () throws(SystemError) in
      do throws(SystemError) {
        let file = try run.openBeneath(JournalWriter.fileName, flags: O_RDONLY)
        let start = max(0, try FileStatus(of: file).size - bytes)
        try SystemError.retrying("lseek") { lseek(file.rawValue, off_t(start), SEEK_SET) }
        return JournalReader(file)
      } catch let error where error.isNotFound {
        return nil
      }
    }
  }
}
