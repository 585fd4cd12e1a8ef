import Glibc
import Ledger
import RenderModel
import SystemSupport

/// Makes the identities of new outputs ones that later runs can trust without reading the files.
///
/// A file's times are stamped by a coarse clock: whatever happens to it within the same tick does
/// not show. So a group of outputs is looked at once more when the tick is over.
enum OutputSettling {
  /// Sleeps until the names that were given at this moment of the boot clock have settled.
  static func wait(since renamed: UInt64) {
    // A report's own time is cut to milliseconds: one more, and one for the rename itself.
    let settled = renamed + UInt64(FileIdentity.settlingTime) + 2_000_000
    while true {
      let now = BootClock.now()
      if now >= settled { return }
      _ = poll(nil, 0, Int32(clamping: (settled - now + 999_999) / 1_000_000))
    }
  }

  /// Takes back the identity of what changed since it got its name: it is to be read again.
  static func confirm(_ report: inout JobReport, in output: Directory) {
    for index in report.renditions.indices {
      guard let identity = report.renditions[index].identity,
        let path = report.renditions[index].relativePath
      else { continue }
      let there = try? output.status(path.bytes)
      if there?.identity != identity { report.renditions[index].identity = nil }
    }
  }
}
