import CImagingShim
import Glibc
import RenderModel

/// Exif and XMP entries of one picture while they are changed.
@safe
struct MetadataEditor: ~Copyable {
  enum Kind {
    case exif, xmp

    fileprivate var library: minilab_metadata_kind {
      self == .exif ? MINILAB_METADATA_EXIF : MINILAB_METADATA_XMP
    }
  }

  /// An entry as a filter sees it.
  struct Entry {
    /// `Exif.Image.Artist`, `Xmp.dc.creator[1]`.
    var key: String
    /// The address of an XMP property's namespace.
    var space: String
    /// An Exif entry's number; 0 for XMP.
    var tag: Int
    /// Bytes of the value.
    var size: Int

    /// `Image` of `Exif.Image.Artist`.
    var group: Substring { key.dropFirst(key.hasPrefix("Xmp.") ? 4 : 5).prefix { $0 != "." } }
    /// `creator` of `Xmp.dc.creator[1]`.
    var property: Substring {
      key.dropFirst(key.hasPrefix("Xmp.") ? 4 : 5).drop { $0 != "." }.dropFirst()
        .prefix { $0 != "[" && $0 != "/" }
    }
  }

  private let handle: OpaquePointer

  init() throws(LibraryError) {
    guard let handle = unsafe minilab_metadata_new() else {
      throw LibraryError(text: "memory is short")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe minilab_metadata_free(handle) }

  func decode(_ kind: Kind, _ bytes: [UInt8]) throws(LibraryError) {
    try unsafe LibraryError.status {
      unsafe minilab_metadata_decode(handle, kind.library, bytes, bytes.count, $0)
    }
  }

  func decode(exif bytes: borrowing FileBytes) throws(LibraryError) {
    try unsafe LibraryError.status { record in
      unsafe bytes.withBytes {
        unsafe minilab_metadata_decode(
          handle, MINILAB_METADATA_EXIF, $0.baseAddress, $0.count, record)
      }
    }
  }

  /// nil when nothing is left.
  func encode(_ kind: Kind) throws(LibraryError) -> [UInt8]? {
    try unsafe bytes { unsafe minilab_metadata_encode(handle, kind.library, $0, $1, $2) }
  }

  /// Removes the entries that a rule names; gives whether there were any.
  @discardableResult
  func remove(_ kind: Kind, where rule: (Entry) -> Bool) throws(LibraryError) -> Bool {
    var removed = false
    try withoutActuallyEscaping(rule) { (rule) throws(LibraryError) in
      var visit = Visit { entry in
        guard rule(entry) else { return false }
        removed = true
        return true
      }
      try unsafe LibraryError.status { record in
        unsafe withUnsafeMutablePointer(to: &visit) { visit in
          unsafe minilab_metadata_filter(
            handle, kind.library,
            { context, key, space, tag, size in
              guard let context = unsafe context, let key = unsafe key, let space = unsafe space
              else { return 0 }
              let entry = unsafe Entry(
                key: String(cString: key), space: String(cString: space), tag: Int(tag),
                size: Int(size))
              return unsafe context.assumingMemoryBound(to: Visit.self).pointee.decide(entry)
                ? 1 : 0
            }, visit, record)
        }
      }
    }
    return removed
  }

  private struct Visit { var decide: (Entry) -> Bool }

  func has(_ kind: Kind, _ key: String) -> Bool {
    unsafe minilab_metadata_has(handle, kind.library, key) != 0
  }

  func set(_ key: String, short value: Int) throws(LibraryError) {
    try unsafe LibraryError.status {
      unsafe minilab_metadata_set_short(handle, key, UInt16(clamping: value), $0)
    }
  }

  func set(_ key: String, long value: Int) throws(LibraryError) {
    try unsafe LibraryError.status {
      unsafe minilab_metadata_set_long(handle, key, UInt32(clamping: value), $0)
    }
  }

  func set(_ kind: Kind, _ key: String, text: String) throws(LibraryError) {
    try unsafe LibraryError.status {
      unsafe minilab_metadata_set_text(handle, kind.library, key, text, $0)
    }
  }

  func value(_ key: String) throws(LibraryError) -> [UInt8]? {
    try unsafe bytes { unsafe minilab_metadata_read_bytes(handle, key, $0, $1, $2) }
  }

  func set(_ key: String, bytes: [UInt8]) throws(LibraryError) {
    try unsafe LibraryError.status {
      unsafe minilab_metadata_set_bytes(handle, key, bytes, bytes.count, $0)
    }
  }

  /// Adds what an IPTC block says and XMP does not.
  func add(iptc bytes: [UInt8]) throws(LibraryError) {
    try unsafe LibraryError.status {
      unsafe minilab_metadata_add_iptc(handle, bytes, bytes.count, $0)
    }
  }

  private func bytes(
    _ body: (
      UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>,
      UnsafeMutablePointer<minilab_error>
    ) -> Int32
  ) throws(LibraryError) -> [UInt8]? {
    var start: UnsafeMutableRawPointer?
    var length = 0
    try unsafe LibraryError.status { unsafe body(&start, &length, $0) }
    guard let start = unsafe start else { return nil }
    defer { unsafe free(start) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }
}

extension MetadataEditor {
  /// About how many bytes the Exif block will have.
  func sizeOfEXIF() throws(LibraryError) -> Int {
    var size = 0
    try remove(.exif) { entry in
      size += 12 + entry.size
      return false
    }
    return size
  }

  /// Leaves out the largest values of what would not fit one segment of a JPEG.
  func removeLargeEXIF(_ losses: inout LossList) throws(LibraryError) {
    guard try sizeOfEXIF() > MetadataLimits.comfortableEXIF else { return }
    var names: [String] = []
    try remove(.exif) { entry in
      guard entry.size > 2048 else { return false }
      names.append(entry.key)
      return true
    }
    losses.add(.exif, "too large: \(names.prefix(5).joined(separator: ", "))")
  }
}
