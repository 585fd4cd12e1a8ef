internal import CSystem
internal import Glibc

/// A call that this machine doesn't have answers ENOSYS.
func call(
  _ name: SystemCall, _ a0: UInt = 0, _ a1: UInt = 0, _ a2: UInt = 0, _ a3: UInt = 0,
  _ a4: UInt = 0, _ a5: UInt = 0
) -> Int {
  guard let number = name.number else { return -Int(ENOSYS) }
  return minilab_sandbox_call(Int(number), a0, a1, a2, a3, a4, a5)
}

/// A call whose second argument is a path.
func call(
  _ name: SystemCall, _ a0: UInt, _ path: String, _ a2: UInt = 0, _ a3: UInt = 0, _ a4: UInt = 0
) -> Int {
  unsafe path.withCString { call(name, a0, UInt(bitPattern: $0), a2, a3, a4) }
}

/// Lends 512 zero bytes at an address.
func withRoom(_ body: (UInt) -> Int) -> Int {
  var room = [UInt8](repeating: 0, count: 512)
  return unsafe room.withUnsafeMutableBytes { body(UInt(bitPattern: $0.baseAddress)) }
}
