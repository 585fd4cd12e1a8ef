import Glibc
import Synchronization
package import SystemSupport

/// The one writer of a run's journal; lines are added whole or not at all.
package final class JournalWriter: Sendable {
  typealias Write = @Sendable (OwnedDescriptor, [UInt8]) throws(SystemError) -> Void

  package static let fileName = Array("journal.jsonl".utf8)

  private struct State {
    /// Bytes up to the end of the last whole line.
    var length: Int64
    /// Bytes that are known to be durable.
    var durable: Int64 = 0
    var isBroken = false
  }

  private let descriptor: OwnedDescriptor
  private let state: Mutex<State>
  private let write: Write

  /// Makes the journal of a new run; throws `notWritten` when there is one.
  package convenience init(creatingIn run: Directory) throws(JournalError) {
    try self.init(creatingIn: run) { (descriptor, bytes) throws(SystemError) in
      try FileTransfer.writeAll(descriptor, bytes)
    }
  }

  /// `write` is replaced in tests of full disks.
  init(creatingIn run: Directory, write: @escaping Write) throws(JournalError) {
    descriptor = try JournalError.wrapping(.notWritten) { () throws(SystemError) in
      let file = try run.openBeneath(
        Self.fileName, flags: O_WRONLY | O_APPEND | O_CREAT | O_EXCL, mode: 0o666)
      try run.synchronize()
      return file
    }
    state = Mutex(State(length: 0))
    self.write = write
  }

  /// Goes on with a dead run's journal, cutting off what follows its last whole line.
  package init(resuming run: Directory, wholeLength: Int64) throws(JournalError) {
    descriptor = try JournalError.wrapping(.notWritten) { () throws(SystemError) in
      let file = try run.openBeneath(Self.fileName, flags: O_WRONLY | O_APPEND)
      if try FileStatus(of: file).size > wholeLength {
        try Self.truncate(file, to: wholeLength)
      }
      return file
    }
    state = Mutex(State(length: wholeLength))
    write = { (descriptor, bytes) throws(SystemError) in
      try FileTransfer.writeAll(descriptor, bytes)
    }
  }

  /// Bytes up to the end of the last whole line.
  package var length: Int64 { state.withLock { $0.length } }

  /// Bytes that this writer has made durable, up to the end of a line.
  package var durableLength: Int64 { state.withLock { $0.durable } }

  /// Adds lines in one write; when that fails the journal is as it was before.
  package func append(_ lines: [JournalLine]) throws(JournalError) {
    var bytes: [UInt8] = []
    for line in lines { bytes += try line.encoded() }
    guard !bytes.isEmpty else { return }
    let addition = bytes
    try state.withLock { (state) throws(JournalError) in
      try Self.requireWhole(state)
      do throws(SystemError) {
        try write(descriptor, addition)
        state.length += Int64(addition.count)
      } catch {
        do throws(SystemError) {
          try Self.truncate(descriptor, to: state.length)
        } catch {
          state.isBroken = true
        }
        throw JournalError(state.isBroken ? .broken : .notWritten, cause: error)
      }
    }
  }

  /// Makes all lines so far durable; once that failed nobody knows which are, so none is added.
  package func synchronize() throws(JournalError) {
    try state.withLock { (state) throws(JournalError) in
      try Self.requireWhole(state)
      do throws(SystemError) {
        try FileTransfer.synchronizeData(descriptor)
        state.durable = state.length
      } catch {
        state.isBroken = true
        throw JournalError(.broken, cause: error)
      }
    }
  }

  private static func requireWhole(_ state: State) throws(JournalError) {
    if state.isBroken { throw JournalError(.broken, "an earlier write failed") }
  }

  private static func truncate(
    _ descriptor: OwnedDescriptor, to length: Int64
  ) throws(SystemError) {
    try SystemError.retrying("ftruncate") { ftruncate(descriptor.rawValue, off_t(length)) }
  }
}
