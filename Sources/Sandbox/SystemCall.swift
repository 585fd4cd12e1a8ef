internal import CSystem

/// A system call by its kernel name.
package struct SystemCall: Sendable, Hashable, ExpressibleByStringLiteral {
  package let name: String

  package init(_ name: String) { self.name = name }

  package init(stringLiteral name: String) { self.name = name }

  /// nil when this machine's table has no such call (`open` on aarch64).
  package var number: UInt32? {
    let number = unsafe name.withCString { unsafe minilab_sandbox_call_number($0) }
    return UInt32(exactly: number)
  }

  /// nil for a number that our table does not hold.
  package init?(number: UInt32) {
    guard let name = unsafe minilab_sandbox_call_name(Int(number)) else { return nil }
    unsafe self.name = String(cString: name)
  }
}

/// The machine that filters are made for.
package enum Machine {
  /// The kernel's AUDIT_ARCH value; nil on a machine whose calls we don't know.
  package static var architecture: UInt32? {
    let value = minilab_sandbox_architecture()
    return value == 0 ? nil : value
  }
}
