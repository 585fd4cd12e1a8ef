import Digest
import Glibc
import RenderModel
import SystemSupport

/// An original that was opened, digested and made safe against change.
struct OpenedOriginal: Sendable {
  /// A sealed private copy, or the read-only original itself when it is large.
  var descriptor: OwnedDescriptor
  var status: FileStatus
  var sha256: String
  /// Whether `descriptor` is the original, so that it has to be looked at again afterwards.
  var isShared: Bool
}

/// Opens originals read-only beneath the library and reads each byte of them once.
struct OriginalReader: Sendable {
  let library: Directory

  /// Larger originals are not copied, in bytes.
  static let largestCopy: Int64 = 64 << 20

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

  struct OpenedFile {
    var descriptor: OwnedDescriptor
    var status: FileStatus
  }

  func read(_ file: OpenedFile, _ path: RelativePath) -> Result<OpenedOriginal, RenderFailure> {
    let copies = file.status.size <= Self.largestCopy
    do {
      let copy = copies ? try MemoryFile.create(name: "original") : nil
      let digest = SHA256Digest()
      var total: Int64 = 0
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = try FileTransfer.read(file.descriptor, into: &buffer)
        if count == 0 { break }
        unsafe buffer.withUnsafeBytes {
          unsafe digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
        if let copy { try FileTransfer.writeAll(copy, buffer, count: count) }
        total += Int64(count)
        if total > file.status.size { break }
      }
      guard total == file.status.size,
        try FileStatus(of: file.descriptor).isUnchanged(since: file.status)
      else { return refuse(.inputChanged, path, "the file changed while it was read") }
      if let copy { try MemoryFile.seal(copy) }
      return .success(
        OpenedOriginal(
          descriptor: copy ?? file.descriptor, status: file.status, sha256: digest.finalize().hex,
          isShared: copy == nil))
    } catch {
      return refuse(.unreadable, path, Self.words(for: error))
    }
  }

  private func refuse<Success>(_ code: FailureCode, _ path: RelativePath, _ words: String)
    -> Result<Success, RenderFailure>
  {
    .failure(
      RenderFailure(code: code, stage: .intake, detail: "\(path.displayed): \(words)"))
  }

  private static func words(for error: SystemError) -> String {
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
