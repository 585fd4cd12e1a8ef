import Glibc

/// Small text files that the kernel writes.
enum SystemText {
  /// Content without the last newline; nil when it can't be read.
  static func read(_ path: String) -> String? {
    guard let descriptor = try? OwnedDescriptor.open(path: path, flags: O_RDONLY),
      let bytes = try? FileTransfer.readAll(descriptor, limit: 4 << 20)
    else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}
