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
  let ledger: MemoryLedger

  enum Refusal: Error {
    case output(String)
    case held(String)
  }

  /// Opens or makes the folders, takes the lock, recovers and reads the journals.
  static func take(_ configuration: RunConfiguration) throws -> RunPlaces {
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
    let lock: StateLock
    do {
      lock = try StateLock(in: state)
    } catch .held(let owner) {
      throw Refusal.held("another run holds the state folder: \(DisplayText.escaped(owner))")
    } catch {
      throw Refusal.output("\(error)")
    }
    let ledger = MemoryLedger()
    for folder in try RunFolder.all(state: state, output: output) {
      if try !folder.isFinished() { try recover(folder, output, configuration) }
      try absorb(folder, into: ledger)
    }
    return RunPlaces(output: output, state: state, lock: lock, ledger: ledger)
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

  private static func absorb(_ folder: RunFolder, into ledger: MemoryLedger) throws {
    guard var reader = try JournalReader.open(folder.directory) else { return }
    while let line = try reader.next() {
      if case .report(let report) = line { ledger.absorb(report) }
    }
  }

  /// Bytes that are free for outputs; what can't be asked counts as enough.
  func available() -> Int {
    Int(clamping: (try? FileSystemSpace.available(at: output)) ?? .max)
  }

  /// Whether the output folder is the library or lies beneath it, by walking up from it.
  func isBeneath(_ library: Directory) -> Bool {
    guard let wanted = try? FileStatus(of: library.descriptor) else { return false }
    var current = output
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

  /// Whether the output's file system takes two names that differ only in case for one.
  func isCaseInsensitive() -> Bool {
    let probe = Array(".minilab-Case-\(RandomBytes.hex(4))".utf8)
    guard let file = try? output.openBeneath(probe, flags: FileFlags.createNew, mode: 0o600) else {
      return false
    }
    defer { try? output.remove(probe) }
    let lower = Array(String(decoding: probe, as: UTF8.self).lowercased().utf8)
    return withExtendedLifetime(file) { (try? output.status(lower)) != nil && lowerExists(lower) }
  }

  private func lowerExists(_ name: [UInt8]) -> Bool {
    if let status = try? output.status(name) { return status.kind == .regular }
    return false
  }
}
