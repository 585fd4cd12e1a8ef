import CSystem
import Glibc

/// Why a state folder could not be taken.
package enum StateLockError: Error, Sendable, Equatable {
  /// A live process has it; the text is the line it wrote, for people, and may hold anything.
  case held(owner: String)
  case system(SystemError)
}

extension StateLockError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .held(let owner): "the state folder is in use by \(owner)"
    case .system(let error): "the state folder cannot be locked: \(error)"
    }
  }
}

/// The right to write to a state folder, held until this value goes or the process ends.
///
/// The kernel drops it with the last copy of the descriptor, so a dead owner blocks nobody.
/// A process forked without exec shares it until it closes its descriptors. The folder itself is
/// locked as well, where its file system can: whoever deletes the file lets nobody else in.
package final class StateLock: Sendable {
  /// Name of the lock file in the folder; it stays there when the lock is released.
  package static let fileName: [UInt8] = Array("lock".utf8)

  private let descriptor: OwnedDescriptor
  private let folder: OwnedDescriptor
  /// The line that is in the file.
  package let owner: LockOwner

  package init(in state: Directory, owner: LockOwner = .current()) throws(StateLockError) {
    do throws(SystemError) {
      descriptor = try state.openBeneath(Self.fileName, flags: O_RDWR | O_CREAT, mode: 0o666)
      self.owner = owner
      let number = descriptor.rawValue
      folder = try state.openBeneath(Array(".".utf8), flags: O_RDONLY | O_DIRECTORY)
      try Self.lockFolder(folder)
      try SystemError.retrying("flock") { flock(number, LOCK_EX | LOCK_NB) }
      try SystemError.retrying("ftruncate") { ftruncate(number, 0) }
      try FileTransfer.writeAll(descriptor, Array((owner.json + "\n").utf8))
    } catch let error where error.errno == EWOULDBLOCK && error.operation == "flock" {
      throw .held(owner: Self.ownerText(in: state))
    } catch {
      throw .system(error)
    }
  }

  private static func lockFolder(_ folder: OwnedDescriptor) throws(SystemError) {
    do throws(SystemError) {
      try SystemError.retrying("flock") { flock(folder.rawValue, LOCK_EX | LOCK_NB) }
    } catch let error where error.errno != EWOULDBLOCK {
      // NFS locks no folders; the file is what counts there.
    }
  }

  /// The line of the one who holds the folder, or held it last; empty when none is there.
  package static func ownerText(in state: Directory) -> String {
    guard let descriptor = try? state.openBeneath(fileName, flags: O_RDONLY),
      let bytes = try? FileTransfer.readAll(descriptor, limit: 4096)
    else { return "" }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

/// Who holds a state folder.
package struct LockOwner: Sendable, Equatable {
  package let node: String
  package let bootID: String
  package let pid: Int32
  /// Clock ticks from the machine's start; with `bootID` it tells a reused number apart.
  package let processStartTime: UInt64
  /// ISO 8601.
  package let started: String

  package init(
    node: String, bootID: String, pid: Int32, processStartTime: UInt64, started: String
  ) {
    self.node = node
    self.bootID = bootID
    self.pid = pid
    self.processStartTime = processStartTime
    self.started = started
  }

  /// This process, now.
  package static func current() -> LockOwner {
    let pid = getpid()
    return LockOwner(
      node: HostName.current(), bootID: BootIdentity.current(), pid: pid,
      processStartTime: BootIdentity.processStartTime(pid) ?? 0,
      started: WallClock.iso8601(WallClock.now()))
  }

  /// One line of JSON.
  package var json: String {
    "{\"node\":\(Self.literal(node)),\"bootID\":\(Self.literal(bootID)),\"pid\":\(pid),"
      + "\"processStartTime\":\(processStartTime),\"started\":\(Self.literal(started))}"
  }

  /// Printable ASCII as it is, all else as JSON escapes.
  private static func literal(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22, 0x5C: result += "\\" + String(decoding: [unit], as: UTF16.self)
      case 0x20...0x7E: result += String(decoding: [unit], as: UTF16.self)
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
