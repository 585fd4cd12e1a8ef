import CImagingShim
import Glibc

/// The whole of a file in memory, whose changes stay this process's own.
///
/// The file is mapped, so that no byte of it is copied. Should it be cut off meanwhile, reading ends
/// the process; whoever gives an original that others may change looks at it again afterwards.
@safe
package struct FileBytes: ~Copyable {
  private let start: UnsafeMutableRawPointer
  private(set) var count: Int
  private let capacity: Int

  /// Room for what may have to be appended.
  private static let spare = 16

  /// nil when it cannot be mapped or memory is short.
  package init?(descriptor: Int32, count: Int) {
    guard count >= 0, let start = unsafe minilab_map_file(descriptor, count, Self.spare) else {
      return nil
    }
    unsafe self.start = start
    self.count = count
    capacity = count + Self.spare
  }

  /// All of a file; nil when it cannot be mapped or memory is short.
  init?(whole descriptor: Int32) {
    guard let count = Self.size(of: descriptor) else { return nil }
    self.init(descriptor: descriptor, count: count)
  }

  /// All of a file.
  static func whole(_ descriptor: Int32) throws(LibraryError) -> FileBytes {
    guard let file = FileBytes(whole: descriptor) else {
      throw LibraryError(text: "the file cannot be read into memory")
    }
    return file
  }

  /// A copy of bytes in memory; nil when memory is short.
  init?(copying bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress,
      let start = unsafe minilab_map_copy(source, bytes.count, Self.spare)
    else { return nil }
    unsafe self.start = start
    count = bytes.count
    capacity = bytes.count + Self.spare
  }

  deinit { unsafe minilab_unmap_file(start) }

  /// Memory from `minilab_map_file`, the caller's from now on.
  consuming func handOver() -> (UnsafeMutableRawPointer, Int) {
    let result = unsafe (start, count)
    discard self
    return unsafe result
  }

  subscript(offset: Int) -> UInt8 {
    get {
      precondition(offset >= 0 && offset < count)
      return unsafe start.load(fromByteOffset: offset, as: UInt8.self)
    }
    set {
      precondition(offset >= 0 && offset < count)
      unsafe start.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
    }
  }

  mutating func append(_ bytes: [UInt8]) {
    precondition(count + bytes.count <= capacity)
    for byte in bytes {
      unsafe start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
      count += 1
    }
  }

  /// A part of the bytes, which must lie inside.
  func copy(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe [UInt8](
      UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(start: start, count: count))
  }

  func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    unsafe withBytes { bytes in
      let typed = unsafe bytes.bindMemory(to: UInt8.self)
      return unsafe body(Span(_unsafeElements: typed))
    }
  }

  /// The first bytes of a file; fewer when it is shorter, nil when it cannot be read.
  static func head(of descriptor: Int32, count: Int) -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = part(of: descriptor, at: 0, count: count, failure: &failure)
    return failure == 0 ? bytes : nil
  }

  /// What could be read before the file ended, or before the error whose number `failure` becomes.
  static func part(
    of descriptor: Int32, at offset: Int, count: Int, failure: inout Int32
  ) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { return }
        done += got
      }
    }
  }

  /// nil when the descriptor is not open.
  static func size(of descriptor: Int32) -> Int? {
    // Not fstat: the C library makes a call of it that a sealed process is refused.
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    return Int(end)
  }
}
