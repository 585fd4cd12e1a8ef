/// One instruction of classic BPF.
package struct FilterInstruction: Sendable, Equatable {
  package var code: UInt16
  package var jumpTrue: UInt8
  package var jumpFalse: UInt8
  package var k: UInt32

  package init(_ code: UInt16, _ k: UInt32, jumpTrue: UInt8 = 0, jumpFalse: UInt8 = 0) {
    self.code = code
    self.k = k
    self.jumpTrue = jumpTrue
    self.jumpFalse = jumpFalse
  }
}

/// The instruction codes in use, put together from the kernel's class, size and mode bits.
package enum FilterCode {
  /// A = the 32-bit word at offset k of the call's record.
  package static let load: UInt16 = 0x20
  /// A &= k.
  package static let and: UInt16 = 0x54
  package static let jump: UInt16 = 0x05
  package static let jumpIfEqual: UInt16 = 0x15
  /// Unsigned.
  package static let jumpIfAtLeast: UInt16 = 0x35
  package static let finish: UInt16 = 0x06
}

/// Offsets in struct seccomp_data, little-endian machines.
package enum CallRecord {
  package static let number: UInt32 = 0
  package static let architecture: UInt32 = 4
  package static func low(_ argument: Int) -> UInt32 { 16 + 8 * UInt32(argument) }
  package static func high(_ argument: Int) -> UInt32 { 20 + 8 * UInt32(argument) }
}

/// What a filter answers; the kernel's values.
package enum FilterAction {
  package static let killProcess: UInt32 = 0x8000_0000
  package static let trap: UInt32 = 0x0003_0000
  package static let allow: UInt32 = 0x7fff_0000
  package static func errno(_ errno: UInt16) -> UInt32 { 0x0005_0000 | UInt32(errno) }
}

/// A compiled filter in which only the process's own pid is still open.
package struct FilterProgram: Sendable, Equatable {
  /// The kernel's BPF_MAXINSNS.
  package static let longest = 4096

  package internal(set) var instructions: [FilterInstruction]
  /// Indices of instructions whose `k` is to be the pid.
  package internal(set) var processSlots: [Int]
}
