import Digest
import Glibc
import Journal
import Ledger
import RenderModel
import SystemSupport

/// The folders of a run, taken and put in order: what dead runs left is completed or removed.
struct RunPlaces {
  let output: Directory
  let state: Directory
  let lock: StateLock
  let ledger: any Ledger
  /// The newest run that is there; nil before the first.
  let lastRun: RunIdentifier?

  enum Refusal: Error {
    case output(String)
    case held(String)
    case ledger(LedgerError)
    /// By a signal, while the journals were read.
    case stopped
  }

  /// Opens or makes the folders, takes the lock, recovers, and brings the ledger up to the journals.
  static func take(
    _ configuration: RunConfiguration, isStopped: () -> Bool = { false }
  ) throws -> RunPlaces {
    let output: Directory
    let state: Directory
    do {
      output = try Directory(path: configuration.outputPath, creating: true)
      if let path = configuration.statePath {
        state = try Directory(path: path, creating: true)
      } else {
        state = try output.makeDirectories(Array(OutputTemplate.stateFolder.utf8))
      }
    } catch {
      throw Refusal.output("\(error)")
    }
    let lock = try lock(state)
    // A ledger that must not be used refuses the run before anything is changed.
    let ledger = try openLedger(configuration, state)
    let runs = try RunFolder.identifiers(state: state)
    for run in runs {
      let folder = try RunFolder.open(run, state: state, output: output)
      if try !folder.isFinished() { try recover(folder, output, configuration) }
    }
    return RunPlaces(
      output: output, state: state, lock: lock,
      ledger: try caughtUp(ledger, configuration, state, output, isStopped), lastRun: runs.last)
  }

  static func lock(_ state: Directory) throws(Refusal) -> StateLock {
    do {
      return try StateLock(in: state)
    } catch .held(let owner) {
      let words = owner.isEmpty ? "its lock file was deleted" : DisplayText.escaped(owner)
      throw .held("another run holds the state folder: \(words)")
    } catch {
      throw .output("\(error)")
    }
  }

  private static func openLedger(
    _ configuration: RunConfiguration, _ state: Directory
  ) throws(Refusal) -> any Ledger {
    do {
      return try configuration.openLedger(state)
    } catch {
      throw .ledger(error)
    }
  }

  /// A ledger that turns out to be damaged while it is caught up is replaced once.
  private static func caughtUp(
    _ opened: any Ledger, _ configuration: RunConfiguration, _ state: Directory,
    _ output: Directory, _ isStopped: () -> Bool
  ) throws -> any Ledger {
    func catchUp(_ ledger: any Ledger) throws -> any Ledger {
      _ = try withoutActuallyEscaping(isStopped) { isStopped in
        try LedgerCatchUp(
          ledger: ledger, state: state, output: output, isStopped: isStopped,
          onNote: configuration.onNote
        ).perform()
      }
      return ledger
    }
    do {
      return try catchUp(opened)
    } catch let error as LedgerError where error.code == .damaged {
      return try catchUp(try openLedger(configuration, state))
    } catch is LedgerCatchUp.Stopped {
      throw Refusal.stopped
    }
  }

  private static func recover(
    _ folder: RunFolder, _ output: Directory, _ configuration: RunConfiguration
  ) throws {
    let result = try Recovery.recover(
      folder, output: output, finished: WallClock.iso8601(WallClock.now())
    ) { try FileDigest.sha256(of: $0) }
    if !result.completed.isEmpty || !result.left.isEmpty {
      configuration.onNote(
        "run \(result.run) was interrupted: \(result.completed.count) replacements completed, "
          + "\(result.left.count) to be done again")
    }
    if result.corruptLines > 0 {
      configuration.onNote(
        "the journal of run \(result.run) has \(result.corruptLines) damaged lines; "
          + "their jobs are done again")
    }
  }

  /// Bytes that are free for outputs; what can't be asked counts as enough.
  func available() -> Int {
    Int(clamping: (try? FileSystemSpace.available(at: output)) ?? .max)
  }

  /// Where an output could replace an original of this library.
  func overlap(with library: Directory) -> LibraryOverlap {
    if output.isBeneath(library) { return .everywhere }
    return library.isBeneath(output) ? .inLibrary : .nowhere
  }

  /// Whether the output's file system takes two names that differ only in case for one.
  ///
  /// Nothing is made for the question but the folder that every run has: a run that is killed must
  /// leave nothing behind.
  func isCaseInsensitive() -> Bool {
    let name = OutputTemplate.stateFolder
    guard let folder = try? output.makeDirectories(Array(name.utf8)),
      let own = try? FileStatus(of: folder.descriptor),
      let other = try? output.status(Array(name.uppercased().utf8))
    else { return false }
    return own.inode == other.inode && own.device == other.device
  }
}

/// Which outputs might have the name of an original.
enum LibraryOverlap: Sendable {
  case nowhere
  /// The output folder is the library or lies beneath it.
  case everywhere
  /// The library lies beneath the output folder.
  case inLibrary
}

extension Directory {
  /// Whether this is that folder or lies beneath it, by walking up to the root.
  func isBeneath(_ folder: Directory) -> Bool {
    guard let wanted = try? FileStatus(of: folder.descriptor) else { return false }
    var current = self
    for _ in 0..<256 {
      guard let status = try? FileStatus(of: current.descriptor) else { return false }
      if status.inode == wanted.inode, status.device == wanted.device { return true }
      guard
        let parent = try? OwnedDescriptor.open(
          path: "/proc/self/fd/\(current.descriptor.rawValue)/..", flags: O_RDONLY | O_DIRECTORY),
        let parentStatus = try? FileStatus(of: parent),
        parentStatus.inode != status.inode || parentStatus.device != status.device
      else { return false }
      current = Directory(descriptor: parent)
    }
    return false
  }
}

extension RunIdentifier {
  /// A name that sorts after that of the newest run, whatever the clock says.
  ///
  /// Runs are read in the order of their names and later reports win; two runs of one second, or a
  /// clock that was set back, must not turn that around.
  static func following(_ last: RunIdentifier?, candidate: RunIdentifier = RunIdentifier())
    -> RunIdentifier
  {
    guard let last, candidate <= last, let count = UInt32(last.text.suffix(8), radix: 16),
      let step = UInt32(RandomBytes.hex(2), radix: 16)
    else { return candidate }
    let (sum, overflow) = count.addingReportingOverflow(step + 1)
    if overflow { return after(last) ?? candidate }
    let digits = String(sum, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    return RunIdentifier(name: Array((last.text.dropLast(8) + padded).utf8)) ?? candidate
  }

  /// The name with the next second and any random part; nil at the end of all names.
  ///
  /// The digits count on as a number does: such a name sorts, and need not be a time of the day.
  private static func after(_ last: RunIdentifier) -> RunIdentifier? {
    var name = Array((last.text.dropLast(8) + RandomBytes.hex(4)).utf8)
    for index in name.indices.prefix(15).reversed() where name[index] != UInt8(ascii: "T") {
      if name[index] < UInt8(ascii: "9") {
        name[index] += 1
        return RunIdentifier(name: name)
      }
      name[index] = UInt8(ascii: "0")
    }
    return nil
  }
}
