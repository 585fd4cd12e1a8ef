/// Numbers and boxes of an ISO base media file, as bytes.
enum BoxWriter {
  /// Big-endian.
  static func number(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
  }

  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    number(payload.count + 8, 4) + Array(type.utf8) + payload
  }
}

extension BoxReader {
  /// A number that has to be there.
  mutating func required(_ count: Int) throws(LibraryError) -> Int {
    guard let value = number(count) else { throw LibraryError(text: "a box is cut off") }
    return value
  }

  mutating func requiredCode() throws(LibraryError) -> String {
    guard let code = code() else { throw LibraryError(text: "a box is cut off") }
    return code
  }
}
