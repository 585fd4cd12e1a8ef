/// Decompression by RFC 1951 and 1950, for looking at PNG files without the library under test.
struct Inflate {
  struct Damaged: Error {}

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var bitBuffer: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// Takes a zlib stream; its checksum is not looked at.
  static func zlib(_ bytes: [UInt8]) throws(Damaged) -> [UInt8] {
    var inflate = Inflate(bytes: bytes[2...], position: 2)
    return try inflate.run()
  }

  private init(bytes: ArraySlice<UInt8>, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  private mutating func run() throws(Damaged) -> [UInt8] {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try stored()
      case 1: try compressed(Self.fixedLiterals, Self.fixedDistances)
      case 2:
        let (literals, distances) = try codes()
        try compressed(literals, distances)
      default: throw Damaged()
      }
    }
    return output
  }

  private mutating func bits(_ count: Int) throws(Damaged) -> Int {
    while bitCount < count {
      guard position < bytes.endIndex else { throw Damaged() }
      bitBuffer |= UInt32(bytes[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    defer {
      bitBuffer >>= UInt32(count)
      bitCount -= count
    }
    return Int(bitBuffer & (1 << UInt32(count) - 1))
  }

  private mutating func stored() throws(Damaged) {
    position -= bitCount / 8
    bitBuffer = 0
    bitCount = 0
    guard position + 4 <= bytes.endIndex else { throw Damaged() }
    let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
    position += 4
    guard position + count <= bytes.endIndex else { throw Damaged() }
    output += bytes[position..<(position + count)]
    position += count
  }

  private mutating func compressed(_ literals: Code, _ distances: Code) throws(Damaged) {
    while true {
      let symbol = try symbol(literals)
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol < 286 else { throw Damaged() }
      let length =
        try Self.lengthBase[symbol - 257] + bits(Self.lengthExtra[symbol - 257])
      let distanceSymbol = try self.symbol(distances)
      guard distanceSymbol < 30 else { throw Damaged() }
      let distance = try Self.distanceBase[distanceSymbol] + bits(max(0, distanceSymbol / 2 - 1))
      guard distance <= output.count else { throw Damaged() }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private mutating func codes() throws(Damaged) -> (Code, Code) {
    let literalCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var lengths = [Int](repeating: 0, count: 19)
    for index in 0..<(try bits(4) + 4) { lengths[order[index]] = try bits(3) }
    let code = Code(lengths)
    var all: [Int] = []
    while all.count < literalCount + distanceCount {
      switch try symbol(code) {
      case 16: all += [Int](repeating: all.last ?? 0, count: try bits(2) + 3)
      case 17: all += [Int](repeating: 0, count: try bits(3) + 3)
      case 18: all += [Int](repeating: 0, count: try bits(7) + 11)
      case let length: all.append(length)
      }
    }
    return (Code(Array(all[..<literalCount])), Code(Array(all[literalCount...])))
  }

  private mutating func symbol(_ code: Code) throws(Damaged) -> Int {
    var value = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      value |= try bits(1)
      let count = code.counts[length]
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Damaged()
  }

  /// A canonical Huffman code.
  private struct Code {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int]

    init(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      symbols = lengths.indices.filter { lengths[$0] > 0 }
        .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
  }

  private static let fixedLiterals = Code(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = Code([Int](repeating: 5, count: 30))

  private static let lengthExtra = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let lengthBase = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBase = (0..<30).map { symbol in
    symbol < 4 ? symbol + 1 : (2 + symbol % 2) << (symbol / 2 - 1) + 1
  }
}
