import CCrypto

/// SHA-256 of bytes that come piece by piece; not for use from two threads.
@safe
package final class SHA256Digest {
  /// Owned; freed with the object.
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else {
      preconditionFailure("no memory for a digest")
    }
    unsafe self.context = context
    start()
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package func update(_ buffer: UnsafeRawBufferPointer) {
    guard let base = buffer.baseAddress else { return }
    unsafe Self.check(EVP_DigestUpdate(context, base, buffer.count))
  }

  package func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// The digest of everything so far; afterwards the object begins anew.
  package func finalize() -> SHA256Value {
    var bytes = [UInt8](repeating: 0, count: SHA256Value.byteCount)
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe Self.check(EVP_DigestFinal_ex(context, buffer.baseAddress, nil))
    }
    start()
    guard let value = SHA256Value(bytes: bytes) else {
      preconditionFailure("a digest of another length")
    }
    return value
  }

  private func start() {
    unsafe Self.check(EVP_DigestInit_ex(context, EVP_sha256(), nil))
  }

  /// SHA-256 in memory cannot fail on any input; only a library without it can.
  private static func check(_ status: Int32) {
    precondition(status == 1, "libcrypto offers no SHA-256")
  }
}
