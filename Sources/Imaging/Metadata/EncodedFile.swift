import Glibc
import RenderModel

/// An encoded picture in a file of one's own, whose metadata are put in place.
struct EncodedFile {
  let descriptor: Int32

  var count: Int { FileBytes.size(of: descriptor) ?? 0 }

  /// The bytes of a part; throws when the file ends before it.
  func bytes(_ range: Range<Int>) throws(LibraryError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    var failure: Int32 = 0
    let result = FileBytes.part(
      of: descriptor, at: range.lowerBound, count: range.count, failure: &failure)
    guard failure == 0 else { throw Self.problem(failure, "read") }
    guard result.count == range.count else {
      throw LibraryError(text: "the encoded picture ends early")
    }
    return result
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(LibraryError) {
    var done = 0
    while done < bytes.count {
      let put = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done,
          off_t(offset + done))
      }
      if put < 0 && errno == EINTR { continue }
      guard put > 0 else { throw Self.problem(errno, "written") }
      done += put
    }
  }

  func truncate(to count: Int) throws(LibraryError) {
    guard ftruncate(descriptor, off_t(count)) == 0 else { throw Self.problem(errno, "cut off") }
  }

  /// Puts other bytes in the place of a part; what follows moves.
  func replace(_ range: Range<Int>, with bytes: [UInt8]) throws(LibraryError) {
    let old = count
    let shift = bytes.count - range.count
    // Small enough for memory that is there already: fresh pages would cost more than the copy.
    let step = 1 << 16
    if shift > 0 {
      var end = old
      while end > range.upperBound {
        let start = max(range.upperBound, end - step)
        try write(try self.bytes(start..<end), at: start + shift)
        end = start
      }
    } else if shift < 0 {
      var start = range.upperBound
      while start < old {
        let end = min(old, start + step)
        try write(try self.bytes(start..<end), at: start + shift)
        start = end
      }
      try truncate(to: old + shift)
    }
    try write(bytes, at: range.lowerBound)
  }

  /// Holds what another file holds.
  func copy(from other: EncodedFile) throws(LibraryError) {
    let count = other.count
    try truncate(to: 0)
    for start in stride(from: 0, to: count, by: 1 << 20) {
      try write(try other.bytes(start..<min(start + 1 << 20, count)), at: start)
    }
  }

  private static func problem(_ number: Int32, _ what: String) -> LibraryError {
    LibraryError(text: "the encoded picture cannot be \(what): error \(number)")
  }
}

/// Puts metadata into the container of an encoded picture, in place of those that are there.
///
/// The compressed pixels keep their bytes. Gives false for a container that has no such place here.
enum MetadataPlacement {
  static func put(
    _ metadata: EncodedMetadata, into file: EncodedFile, _ facts: RenditionFacts
  ) throws(LibraryError) -> Bool {
    switch facts.type {
    case .jpeg: try JPEGPlacement.put(metadata, into: file)
    case .png: try PNGPlacement.put(metadata, into: file)
    case .webP: try WebPPlacement.put(metadata, into: file, facts.size)
    case .tiff: try TIFFPlacement.put(metadata, into: file)
    case .heic, .heif, .avif: try HEIFPlacement.put(metadata, into: file)
    case .jpegXL: try JXLPlacement.put(metadata, into: file)
    default: return false
    }
    return true
  }

  /// What digests the compressed pixels of a type; nil for those whose metadata cannot be changed alone.
  static func pixelDigest(
    of type: UniformType
  ) -> ((EncodedFile) throws(LibraryError) -> String)? {
    switch type {
    case .jpeg: JPEGPlacement.pixelDigest
    case .png: PNGPlacement.pixelDigest
    case .webP: WebPPlacement.pixelDigest
    case .tiff: TIFFPlacement.pixelDigest
    default: nil
    }
  }
}
