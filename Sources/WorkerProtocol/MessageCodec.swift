/// A message that is not what the protocol allows.
package struct MessageError: Error, Equatable, Sendable {
  package var reason: String

  package init(reason: String) { self.reason = reason }
}

/// Writes the members of a message as little-endian bytes; lengths are 32 bits.
package struct MessageWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ value: UInt8) { bytes.append(value) }

  package mutating func write(_ value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  package mutating func write(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  package mutating func write(_ value: Int) { write(UInt64(bitPattern: Int64(value))) }
  package mutating func write(_ value: Int32) { write(UInt32(bitPattern: value)) }
  package mutating func write(_ value: Double) { write(value.bitPattern) }
  package mutating func write(_ value: Bool) { write(value ? UInt8(1) : UInt8(0)) }

  package mutating func write(_ text: String) {
    let utf8 = Array(text.utf8)
    write(UInt32(utf8.count))
    bytes += utf8
  }

  package mutating func write<Element>(
    list: [Element], _ body: (inout MessageWriter, Element) -> Void
  ) {
    write(UInt32(list.count))
    for element in list { body(&self, element) }
  }

  package mutating func write<Value>(
    optional: Value?, _ body: (inout MessageWriter, Value) -> Void
  ) {
    write(optional != nil)
    if let optional { body(&self, optional) }
  }
}

/// Reads the members of a message; every length is checked against the bytes that are there.
package struct MessageReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  package mutating func readUInt8() throws(MessageError) -> UInt8 {
    try take(1).first ?? 0
  }

  package mutating func readUInt32() throws(MessageError) -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  package mutating func readUInt64() throws(MessageError) -> UInt64 {
    try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  package mutating func readInt() throws(MessageError) -> Int {
    Int(Int64(bitPattern: try readUInt64()))
  }

  package mutating func readInt32() throws(MessageError) -> Int32 {
    Int32(bitPattern: try readUInt32())
  }

  package mutating func readDouble() throws(MessageError) -> Double {
    Double(bitPattern: try readUInt64())
  }

  package mutating func readBool() throws(MessageError) -> Bool {
    switch try readUInt8() {
    case 0: return false
    case 1: return true
    default: throw MessageError(reason: "a Boolean is neither 0 nor 1")
    }
  }

  package mutating func readString() throws(MessageError) -> String {
    let slice = try take(Int(try readUInt32()))
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw MessageError(reason: "a text is not UTF-8")
    }
    return text
  }

  /// Reads a list; an element takes at least one byte, so a count above the rest is refused.
  package mutating func readList<Element>(
    _ body: (inout MessageReader) throws(MessageError) -> Element
  ) throws(MessageError) -> [Element] {
    let count = Int(try readUInt32())
    guard count <= bytes.count - position else {
      throw MessageError(reason: "a list claims more elements than there are bytes")
    }
    var result: [Element] = []
    result.reserveCapacity(count)
    for _ in 0..<count { result.append(try body(&self)) }
    return result
  }

  package mutating func readOptional<Value>(
    _ body: (inout MessageReader) throws(MessageError) -> Value
  ) throws(MessageError) -> Value? {
    try readBool() ? try body(&self) : nil
  }

  /// Reads the raw value of an enumeration.
  package mutating func readCase<Value: RawRepresentable>(_ type: Value.Type)
    throws(MessageError) -> Value where Value.RawValue == String
  {
    let text = try readString()
    guard let value = Value(rawValue: text) else {
      throw MessageError(reason: "\(text) is no \(type)")
    }
    return value
  }

  package func finish() throws(MessageError) {
    if !isAtEnd { throw MessageError(reason: "\(bytes.count - position) bytes too many") }
  }

  private mutating func take(_ count: Int) throws(MessageError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else {
      throw MessageError(reason: "the message ends too early")
    }
    defer { position += count }
    return bytes[position..<(position + count)]
  }
}
