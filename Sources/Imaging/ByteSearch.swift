import Glibc

extension UnsafeRawBufferPointer {
  /// Where some bytes are found first; nil when they are nowhere, or none.
  func offset(of wanted: [UInt8]) -> Int? {
    guard let first = wanted.first, let base = baseAddress else { return nil }
    var position = 0
    while position + wanted.count <= count,
      let found = unsafe memchr(base + position, Int32(first), count - position - wanted.count + 1)
    {
      let offset = unsafe UnsafeRawPointer(found) - base
      if unsafe memcmp(found, wanted, wanted.count) == 0 { return offset }
      position = offset + 1
    }
    return nil
  }
}

extension [UInt8] {
  func offset(of wanted: [UInt8]) -> Int? {
    unsafe withUnsafeBytes { unsafe $0.offset(of: wanted) }
  }

  /// By bytes: texts are searched by characters, which takes a hundred times as long.
  func holds(_ text: String) -> Bool { offset(of: Array(text.utf8)) != nil }
}
