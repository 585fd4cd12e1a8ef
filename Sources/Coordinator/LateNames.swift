import RenderModel
import Synchronization
import SystemSupport

/// The output names of a run that only rendering gives, so that none of them is given twice.
///
/// Names that are known before are told apart by the manifest's check; here they meet the others.
final class LateNames: Sendable {
  private let names = Mutex<Set<OutputName.CollisionKey>>([])
  /// Of the files that got a name in this run. Their times would say as much only while nobody sets
  /// the clock.
  private let inodes = Mutex<Set<UInt64>>([])

  /// Takes a name that was not known before; false when an earlier job has it.
  func take(_ key: OutputName.CollisionKey) -> Bool {
    names.withLock { $0.insert(key).inserted }
  }

  /// Whether an earlier job has a name that was known before.
  func contain(_ key: @autoclosure () -> OutputName.CollisionKey) -> Bool {
    names.withLock { names in !names.isEmpty && names.contains(key()) }
  }

  /// Remembers a file that just got its name.
  func wrote(_ status: FileStatus?) {
    guard let status else { return }
    inodes.withLock { _ = $0.insert(status.inode) }
  }

  /// Whether the file under a late name got there during this run, so that another job wrote it.
  func isOfThisRun(_ status: FileStatus) -> Bool {
    inodes.withLock { $0.contains(status.inode) }
  }
}
