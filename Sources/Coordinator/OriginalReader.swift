import Glibc
import RenderModel
import SystemSupport

/// An original that was opened, digested and made safe against change.
struct OpenedOriginal: Sendable {
  /// The read-only original itself when its times would show any change, else a sealed private copy.
  var descriptor: OwnedDescriptor
  var status: FileStatus
  var sha256: String
  /// Whether `descriptor` is the original, so that it has to be looked at again afterwards.
  var isShared: Bool
}

/// Opens originals read-only beneath the library and reads each byte of them once.
struct OriginalReader: Sendable {
  let library: Directory
  /// The device whose files' times can be believed; nil when the library is on none.
  private let trustedDevice: UInt64?

  /// Larger originals are not copied, in bytes.
  static let largestCopy: Int64 = 64 << 20

  /// How long a file must have been at rest to be read in place, in nanoseconds.
  ///
  /// Longer than the coarsest times of files (2 s on FAT), and than a mapped page can be written
  /// without a new time: the kernel writes it back after 35 s, and the next write gives one.
  static let restingTime: Int64 = 60_000_000_000

  /// Nanoseconds since 1970.
  private let clock: @Sendable () -> Int64

  /// `clock` is replaced in tests, since no file can be given an old time of change.
  init(library: Directory, clock: @escaping @Sendable () -> Int64 = WallClock.now) {
    self.library = library
    self.clock = clock
    // Where other machines write, what this one knows of the times may be old.
    let isLocal = (try? FileSystemSpace(at: library).locality) == .local
    trustedDevice = isLocal ? try? FileStatus(of: library.descriptor).device : nil
  }

  func open(_ path: RelativePath, limits: RenderLimits) -> Result<OpenedFile, RenderFailure> {
    do {
      let descriptor = try library.openBeneath(path.bytes, flags: FileFlags.readNonBlocking)
      let status = try FileStatus(of: descriptor)
      guard status.kind == .regular else {
        return refuse(.unreadable, path, "is not a regular file")
      }
      guard status.size > 0 else { return refuse(.unreadable, path, "the file is empty") }
      guard status.size <= Int64(limits.inputBytes) else {
        return refuse(
          .limitExceeded, path,
          "\(status.size) bytes are more than the limit of \(limits.inputBytes) (limits.inputBytes)"
        )
      }
      return .success(OpenedFile(descriptor: descriptor, status: status))
    } catch {
      return refuse(.unreadable, path, Self.words(for: error))
    }
  }

  struct OpenedFile: Sendable {
    var descriptor: OwnedDescriptor
    var status: FileStatus
  }

  func read(_ file: OpenedFile, _ path: RelativePath) -> Result<OpenedOriginal, RenderFailure> {
    let isCopied = file.status.size <= Self.largestCopy && !isAtRest(file.status)
    do {
      guard
        let copy = try SealedCopy.read(
          file.descriptor, file.status, copyNamed: isCopied ? "original" : nil)
      else { return refuse(.inputChanged, path, "the file changed while it was read") }
      return .success(
        OpenedOriginal(
          descriptor: copy.descriptor ?? file.descriptor, status: file.status, sha256: copy.sha256,
          isShared: copy.descriptor == nil))
    } catch {
      return refuse(.unreadable, path, Self.words(for: error))
    }
  }

  /// Whether a change from now on is sure to be seen in the file's times.
  private func isAtRest(_ status: FileStatus) -> Bool {
    guard status.device == trustedDevice else { return false }
    let (age, overflow) = clock().subtractingReportingOverflow(max(status.modified, status.changed))
    return !overflow && age >= Self.restingTime
  }

  private func refuse<Success>(_ code: FailureCode, _ path: RelativePath, _ words: String)
    -> Result<Success, RenderFailure>
  {
    .failure(
      RenderFailure(code: code, stage: .intake, detail: "\(path.displayed): \(words)"))
  }

  static func words(for error: SystemError) -> String {
    switch error.errno {
    case ENOENT: "no such file"
    case EACCES, EPERM: "may not be read by this user"
    case ELOOP, EXDEV: "leads through a symbolic link or out of the library; links are not followed"
    case ENOTDIR: "a part of the path is not a folder"
    case ENAMETOOLONG: "the name is too long"
    default: "\(error)"
    }
  }
}

extension FileStatus {
  func isUnchanged(since earlier: FileStatus) -> Bool {
    inode == earlier.inode && device == earlier.device && size == earlier.size
      && modified == earlier.modified && changed == earlier.changed
  }

  var identity: FileIdentity {
    FileIdentity(inode: inode, size: size, modified: modified, changed: changed)
  }
}

/// The flags of `open` that Minilab uses.
enum FileFlags {
  static let read = O_RDONLY
  /// A named pipe must not hold us up at opening; it is refused right after.
  static let readNonBlocking = O_RDONLY | O_NONBLOCK | O_NOCTTY
  static let createNew = O_RDWR | O_CREAT | O_EXCL
}
