import Glibc

/// A system call that failed: what was tried, the kernel's answer, and where.
package struct SystemError: Error, Equatable, Sendable {
  /// The call's name, such as `openat2`.
  package let operation: String
  package let errno: Int32
  /// Bytes of the path concerned, as text; invalid UTF-8 is replaced, control characters are not.
  package let path: String?

  package init(operation: String, errno: Int32, path: String? = nil) {
    self.operation = operation
    self.errno = errno
    self.path = path
  }

  init(_ operation: String, _ errno: Int32, _ path: [UInt8]) {
    self.init(operation: operation, errno: errno, path: String(decoding: path, as: UTF8.self))
  }

  /// No space or no quota left: other jobs would fail in the same way.
  package var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

  /// Nothing under that name.
  package var isNotFound: Bool { errno == ENOENT }

  /// Access is denied, also by a read-only file system.
  package var isDenied: Bool { errno == EACCES || errno == EPERM || errno == EROFS }

  /// The path left its root or went through a symbolic link.
  package var isEscape: Bool { errno == EXDEV || errno == ELOOP }

  /// The kernel's words for `errno`.
  package var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = buffer.count
    let text = unsafe buffer.withUnsafeMutableBufferPointer { room -> String? in
      guard let start = room.baseAddress, unsafe strerror_r(errno, start, count) == 0 else {
        return nil
      }
      return unsafe String(cString: start)
    }
    return text ?? "error \(errno)"
  }

  /// Passes a result on, or throws what a C shim returned as a negative errno.
  @discardableResult
  package static func check<Value: SignedInteger>(
    _ operation: String, path: String? = nil, _ result: Value
  ) throws(SystemError) -> Value {
    guard result < 0 else { return result }
    throw SystemError(operation: operation, errno: Int32(-result), path: path)
  }

  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: String, _ path: [UInt8], _ result: Value
  ) throws(SystemError) -> Value {
    guard result < 0 else { return result }
    throw SystemError(operation, Int32(-result), path)
  }

  /// Calls until it isn't interrupted; for calls that answer with a negative errno, like C shims.
  static func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
      let result = call()
      if result != -Value(EINTR) { return result }
    }
  }

  /// Calls until it isn't interrupted, and throws the errno of a call that answered -1.
  @discardableResult
  package static func retrying<Value: SignedInteger>(
    _ operation: String, path: String? = nil, _ call: () -> Value
  ) throws(SystemError) -> Value {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = Glibc.errno
      if code != EINTR { throw SystemError(operation: operation, errno: code, path: path) }
    }
  }
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    guard let path else { return "\(operation): \(reason)" }
    return "\(operation) \(path): \(reason)"
  }
}
