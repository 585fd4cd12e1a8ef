import Glibc
import Ledger
import RenderModel
import SystemSupport

/// Reads a small file that somebody may be writing, so that what is given was in it at one moment.
enum StableFile {
  /// How often it is read before it is given up.
  private static let attempts = 8

  /// The whole file; nil when it changed under every attempt.
  ///
  /// What was written within this tick of the clock that stamps files could be written once more and
  /// look the same: it is read again when the tick is over.
  static func read(
    _ file: OwnedDescriptor, limit: Int, clock: () -> Int64 = WallClock.now
  ) throws(SystemError) -> [UInt8]? {
    for _ in 0..<attempts {
      let before = try FileStatus(of: file)
      let bytes = try FileTransfer.readAll(file, limit: limit)
      let after = try FileStatus(of: file)
      let isWhole = after.isUnchanged(since: before) && Int64(bytes.count) == after.size
      if isWhole, !isFresh(after, at: clock()) { return bytes }
      _ = poll(nil, 0, Int32(FileIdentity.settlingTime / 1_000_000))
    }
    return nil
  }

  /// A time in the future says nothing, and waiting for it would be in vain.
  private static func isFresh(_ status: FileStatus, at moment: Int64) -> Bool {
    let (age, overflow) = moment.subtractingReportingOverflow(status.changed)
    return !overflow && (0..<FileIdentity.settlingTime).contains(age)
  }
}
