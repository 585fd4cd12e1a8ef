import Glibc
import Journal
import Ledger
import RenderModel
import Reporting
import SystemSupport

/// The folders of a run as they are, looked at and not touched.
struct PlanPlaces {
  /// Where there is no output folder, one in which nothing is found.
  let output: Directory
  let hasOutput: Bool
  let ledger: any Ledger
  private let state: Directory?
  private let seen: FileIdentity?

  /// Refuses while a run holds the state folder; the folder is not held meanwhile.
  static func look(_ configuration: RunConfiguration) throws -> PlanPlaces {
    let output = try folder(configuration.outputPath)
    let state: Directory?
    if let path = configuration.statePath {
      state = try folder(path)
    } else {
      state = try output.flatMap { try stateFolder(of: $0) }
    }
    if let state {
      try refuseRunning(state)
      if configuration.statePath != nil, let output {
        try StateOwner(state: state, output: output).check()
      }
    }
    let seen = state.flatMap(identity)
    let absent = Directory(descriptor: try MemoryFile.create(name: "no-folder"))
    return PlanPlaces(
      output: output ?? absent, hasOutput: output != nil,
      ledger: try state.map { try ledger(configuration, $0, output ?? absent) } ?? MemoryLedger(),
      state: state, seen: seen)
  }

  /// Throws when a run began since the folders were looked at: what was decided may be out of date.
  func checkUnchanged() throws {
    guard let state else { return }
    try Self.refuseRunning(state)
    if Self.identity(of: state) != seen {
      throw RunPlaces.Refusal.held("a run changed the state folder meanwhile; plan again")
    }
  }

  /// Whether the output's file system takes two names that differ only in case for one.
  ///
  /// Asked with a name that is there; without any it counts as one that does not.
  func isCaseInsensitive() -> Bool {
    let known = Array(OutputTemplate.stateFolder.utf8)
    let names = [known] + ((try? output.entries().map(\.name)) ?? [])
    guard
      let (name, own) = names.lazy.filter({ $0.swappedCase != $0 }).compactMap({ name in
        (try? output.status(name)).map { (name, $0) }
      }).first,
      let other = try? output.status(name.swappedCase)
    else { return false }
    return own.inode == other.inode && own.device == other.device
  }

  /// How a job's last attempt was reported; nil when the journal of its run is gone.
  func lastWords(of entry: LedgerEntry) -> String? {
    guard let state, let run = RunIdentifier(name: Array(entry.run.utf8)),
      let folder = try? RunFolder.open(run, state: state, output: output),
      var reader = try? JournalReader.open(folder.directory)
    else { return nil }
    var last: JobReport?
    while let report = try? reader.nextReport() {
      if LedgerKey(job: report.job) == entry.key { last = report }
    }
    return last.map { report in
      let reason = report.reason.map { " (\($0))" } ?? ""
      return report.outcome.detail == nil
        ? "\(report.outcome.state)\(reason), attempt \(report.attempt)"
        : FailureText.line(report)
    }
  }

  func freeBytes() -> Int? {
    guard hasOutput, let free = try? FileSystemSpace.available(at: output) else { return nil }
    return Int(clamping: free)
  }

  // MARK: - Opening

  /// nil when it is not there.
  private static func folder(_ path: [UInt8]) throws(RunPlaces.Refusal) -> Directory? {
    do {
      return try Directory(path: path)
    } catch let error where error.isNotFound {
      return nil
    } catch {
      throw .output("\(error)")
    }
  }

  private static func stateFolder(of output: Directory) throws(RunPlaces.Refusal) -> Directory? {
    do {
      return try output.openDirectory(Array(OutputTemplate.stateFolder.utf8))
    } catch let error where error.isNotFound {
      return nil
    } catch {
      throw .output("\(error)")
    }
  }

  private static func refuseRunning(_ state: Directory) throws {
    guard let owner = try StateLock.holder(of: state) else { return }
    throw RunPlaces.Refusal.held(
      "another run holds the state folder, and would change what is planned: "
        + DisplayText.escaped(owner))
  }

  /// Changes with every run.
  private static func identity(of state: Directory) -> FileIdentity? {
    (try? state.status(StateLock.fileName))?.identity
  }

  // MARK: - The ledger

  /// What the ledger and the journals say together; nothing is carried over on disk.
  private static func ledger(
    _ configuration: RunConfiguration, _ state: Directory, _ output: Directory
  ) throws -> any Ledger {
    let runs = try RunFolder.identifiers(state: state)
    if runs.isEmpty { return MemoryLedger() }
    let base: (any Ledger)?
    do {
      base = try configuration.readLedger(state)
    } catch {
      throw RunPlaces.Refusal.ledger(error)
    }
    if base == nil {
      configuration.onNote(
        "there is no ledger that can be read as it is; the journals are read in its place")
    }
    let ledger: any Ledger
    if let base { ledger = LayeredLedger(over: base) } else { ledger = MemoryLedger() }
    // What it says of the ledger's own file does not hold here: that stays as it is.
    _ = try LedgerCatchUp(
      ledger: ledger, state: state, output: output,
      onNote: { if !$0.contains("the ledger is") { configuration.onNote($0) } }
    ).perform()
    var unfinished = 0
    for run in runs where try !RunFolder.open(run, state: state, output: output).isFinished() {
      unfinished += 1
    }
    if unfinished > 0 {
      configuration.onNote(
        "\(unfinished) \(unfinished == 1 ? "run was" : "runs were") interrupted; the next run "
          + "completes what can be completed, and then fewer jobs may be left to do")
    }
    return ledger
  }
}

extension [UInt8] {
  /// With the letters of ASCII in the other case.
  fileprivate var swappedCase: [UInt8] {
    map { byte in
      let isLetter =
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      return isLetter ? byte ^ 0x20 : byte
    }
  }
}
