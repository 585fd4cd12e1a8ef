import Glibc
import SystemSupport

@testable import Ledger
@testable import SQLiteLedger

/// A state folder in a temporary folder, and what was said of the ledger in it.
final class LedgerPlace: Sendable {
  let path: String
  let state: Directory
  let notes = Notes()

  init(name: [UInt8] = Array("state".utf8)) throws {
    path = "/tmp/minilab-ledger-\(RandomBytes.hex(8))"
    state = try Directory(path: path, creating: true).makeDirectories(name)
  }

  deinit { try? Directory(path: "/tmp").removeTree(Array(path.dropFirst("/tmp/".count).utf8)) }

  var folder: LedgerFolder {
    LedgerFolder(directory: state, onNote: { [notes] in notes.add($0) })
  }

  func open(steps: [String] = LedgerSchema.steps) throws(LedgerError) -> SQLiteLedger {
    try SQLiteLedger.open(in: folder, steps: steps)
  }

  /// A connection past the ledger, to make files that it did not write.
  func connect() throws -> Connection {
    try Connection(path: try folder.prepare())
  }

  func read(_ name: String = "ledger.sqlite") throws -> [UInt8] {
    try FileTransfer.readAll(
      try state.openBeneath(Array(name.utf8), flags: O_RDONLY), limit: 64 << 20)
  }

  func write(_ bytes: [UInt8], _ name: String = "ledger.sqlite") throws {
    let file = try state.openBeneath(
      Array(name.utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try FileTransfer.writeAll(file, bytes)
  }

  func names() throws -> [String] {
    try state.entries().map { String(decoding: $0.name, as: UTF8.self) }.sorted()
  }
}
