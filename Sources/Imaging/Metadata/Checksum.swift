import CImagingShim

/// A digest of bytes that come in pieces.
@safe
struct Checksum: ~Copyable {
  private let handle: OpaquePointer?

  /// SHA-256, or MD5 where a format asks for it.
  init(isMD5: Bool = false) { unsafe handle = minilab_checksum_new(isMD5 ? 1 : 0) }

  deinit {
    if let handle = unsafe handle { unsafe minilab_checksum_free(handle) }
  }

  func add(_ bytes: [UInt8]) {
    guard let handle = unsafe handle else { return }
    unsafe minilab_checksum_add(handle, bytes, bytes.count)
  }

  consuming func adding(_ bytes: [UInt8]) -> Checksum {
    add(bytes)
    return self
  }

  /// Hexadecimal digits; ends the adding.
  var text: String {
    guard let handle = unsafe handle, let text = unsafe minilab_checksum_text(handle) else {
      return ""
    }
    return unsafe String(cString: text)
  }
}
