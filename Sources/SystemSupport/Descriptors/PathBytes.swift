import Glibc

extension [UInt8] {
  /// Lends the bytes as a C path; a name with a zero byte or no bytes is refused.
  func withPath<Result>(
    _ body: (UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard !isEmpty, !contains(0) else { throw SystemError("path", EINVAL, self) }
    return try unsafe (self + [0]).withUnsafeBufferPointer {
      (bytes) throws(SystemError) -> Result in
      guard let start = bytes.baseAddress else { throw SystemError("path", EINVAL, self) }
      return try unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        (path) throws(SystemError) -> Result in try unsafe body(path)
      }
    }
  }

  /// The parts between slashes; `.` and empty parts are left out.
  var pathComponents: [[UInt8]] {
    split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
  }

  /// Whether this is one name that stays in its directory.
  var isPlainName: Bool {
    !isEmpty && !contains(UInt8(ascii: "/")) && !contains(0)
      && self != Array(".".utf8) && self != Array("..".utf8)
  }
}

extension ContiguousArray<CChar> {
  /// Lends a string's C form as a path.
  func withPath<Result>(
    _ body: (UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try unsafe withUnsafeBufferPointer { (text) throws(SystemError) -> Result in
      guard let start = text.baseAddress else {
        throw SystemError(operation: "path", errno: EINVAL)
      }
      return try unsafe body(start)
    }
  }
}
