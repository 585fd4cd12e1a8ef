import Glibc
import RenderModel
import SystemSupport

/// The bytes of a manifest: read from its file where that is possible, held where it is not.
final class ManifestBytes: Sendable {
  private enum Storage: Sendable {
    case file(OwnedDescriptor, FileStatus)
    /// A pipe, or a text that is parsed as a whole.
    case memory([UInt8])
  }

  let path: String
  private let storage: Storage

  /// Beyond this a text that has to be held in memory is refused.
  static let memoryLimit = 512 << 20

  private init(path: String, storage: Storage) {
    self.path = path
    self.storage = storage
  }

  /// `-` is standard input.
  static func open(_ path: String) throws(ManifestError) -> ManifestBytes {
    do {
      let descriptor = try OwnedDescriptor.open(
        path: path == "-" ? "/dev/stdin" : path, flags: O_RDONLY)
      return try open(descriptor, path: path)
    } catch {
      throw failure(error, path)
    }
  }

  private static func open(_ descriptor: OwnedDescriptor, path: String) throws(SystemError)
    -> ManifestBytes
  {
    let status = try FileStatus(of: descriptor)
    if status.kind == .regular {
      return ManifestBytes(path: path, storage: .file(descriptor, status))
    }
    let bytes = try FileTransfer.readAll(descriptor, limit: memoryLimit)
    return ManifestBytes(path: path, storage: .memory(bytes))
  }

  private static func failure(_ error: SystemError, _ path: String) -> ManifestError {
    error.errno == EFBIG
      ? .tooLarge(path: path, limit: memoryLimit)
      : .unreadable(path: path, reason: error.reason)
  }

  /// nil when the bytes came through a pipe.
  var length: Int? {
    guard case .file(_, let status) = storage else { return nil }
    return Int(status.size)
  }

  /// Up to `count` bytes from an offset; fewer only at the end.
  func read(at offset: Int, count: Int) throws(ManifestError) -> [UInt8] {
    var result: [UInt8] = []
    try append(to: &result, at: offset, count: count)
    return result
  }

  /// Adds up to `count` bytes from an offset and says how many; fewer only at the end.
  @discardableResult
  func append(to buffer: inout [UInt8], at offset: Int, count: Int) throws(ManifestError) -> Int {
    switch storage {
    case .memory(let bytes):
      let piece = bytes.dropFirst(offset).prefix(count)
      buffer += piece
      return piece.count
    case .file(let descriptor, _):
      let start = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: count))
      var done = 0
      while done < count {
        let piece = try pread(descriptor, into: &buffer, from: start + done, at: offset + done)
        if piece == 0 { break }
        done += piece
      }
      buffer.removeLast(count - done)
      return done
    }
  }

  private func pread(
    _ descriptor: OwnedDescriptor, into buffer: inout [UInt8], from index: Int, at offset: Int
  ) throws(ManifestError) -> Int {
    do {
      return try unsafe buffer.withUnsafeMutableBufferPointer {
        (room) throws(SystemError) -> Int in
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(room)[index...])
        return try SystemError.retrying("pread") {
          unsafe Glibc.pread(descriptor.rawValue, rest.baseAddress, rest.count, off_t(offset))
        }
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// The whole text, for the form that is parsed as one.
  func all() throws(ManifestError) -> [UInt8] {
    switch storage {
    case .memory(let bytes): return bytes
    case .file(let descriptor, let status):
      guard status.size <= Self.memoryLimit else {
        throw .tooLarge(path: path, limit: Self.memoryLimit)
      }
      do {
        return try FileTransfer.readAll(descriptor, limit: Self.memoryLimit)
      } catch {
        throw Self.failure(error, path)
      }
    }
  }

  /// Throws when the file is no longer as it was when it was opened.
  func checkUnchanged() throws(ManifestError) {
    guard case .file(let descriptor, let before) = storage else { return }
    do {
      let now = try FileStatus(of: descriptor)
      if now.size == before.size, now.modified == before.modified { return }
    } catch {
      throw Self.failure(error, path)
    }
    throw .changed(path: path)
  }
}
