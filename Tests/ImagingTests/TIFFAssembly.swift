/// A TIFF put together from TIFF 6.0, uncompressed, of any depth and arrangement.
struct TIFFDrawing {
  var width = 24
  var height = 10
  var bits = 8
  var samples = 1
  var photometric = 1
  /// 1 unsigned, 2 signed, 3 floating point.
  var kind = 1
  var isPlanar = false
  /// Sides of a tile, whole multiples of 16; nil for one strip.
  var tile: (width: Int, height: Int)?
  var extras: [Int] = []
  var colourMap: [Int] = []
  var subsampling: [Int] = []
  var isBigEndian = false
  /// The 64-bit form of the format.
  var isBig = false
  var orientation = 1
  /// Tags of text.
  var texts: [(tag: Int, text: String)] = []
  /// The bits of a sample.
  var value: (Int, Int, Int) -> UInt64 = { _, _, _ in 0 }

  var bytes: [UInt8] {
    let blocks = self.blocks
    var fields = directory
    let offsetSize = isBig ? 8 : 4
    let headLength = isBig ? 16 : 8
    let count = fields.count + texts.count + 2
    let directoryLength =
      (isBig ? 8 : 2) + count * (isBig ? 20 : 12) + offsetSize
    var dataStart = headLength + directoryLength
    var extra: [UInt8] = []
    func place(_ numbers: [Int], _ size: Int) -> [UInt8] {
      let packed = numbers.flatMap { number($0, size) }
      if packed.count <= offsetSize {
        return packed + [UInt8](repeating: 0, count: offsetSize - packed.count)
      }
      extra += extra.count % 2 == 1 ? [0] : []
      let offset = dataStart + extra.count
      extra += packed
      return number(offset, offsetSize)
    }

    var entries: [(tag: Int, bytes: [UInt8])] = []
    func add(_ tag: Int, _ type: Int, _ numbers: [Int]) {
      let field = place(numbers, type == 1 ? 1 : type == 3 ? 2 : 4)
      entries.append(
        (tag, number(tag, 2) + number(type, 2) + number(numbers.count, isBig ? 8 : 4) + field))
    }
    for field in fields { add(field.tag, field.type, field.numbers) }
    for text in texts { add(text.tag, 1, Array(text.text.utf8).map(Int.init) + [0]) }
    fields = []
    add(tile == nil ? 279 : 325, 4, blocks.map(\.count))
    // The offsets come last, when it is known where the data begin.
    let offsetsLength = blocks.count * 4 > offsetSize ? blocks.count * 4 + 1 : 0
    var position = dataStart + extra.count + offsetsLength
    position += position % 2
    var offsets: [Int] = []
    for block in blocks {
      offsets.append(position)
      position += block.count
    }
    add(tile == nil ? 273 : 324, 4, offsets)
    dataStart = offsets.first ?? dataStart
    entries.sort { $0.tag < $1.tag }

    var result = Array((isBigEndian ? "MM" : "II").utf8) + number(isBig ? 43 : 42, 2)
    if isBig { result += number(8, 2) + number(0, 2) }
    result += number(headLength, offsetSize) + number(entries.count, isBig ? 8 : 2)
    result += entries.flatMap(\.bytes) + number(0, offsetSize) + extra
    result += [UInt8](repeating: 0, count: max(0, dataStart - result.count))
    return result + blocks.flatMap { $0 }
  }

  private var directory: [(tag: Int, type: Int, numbers: [Int])] {
    var fields: [(tag: Int, type: Int, numbers: [Int])] = [
      (256, 3, [width]), (257, 3, [height]),
      (258, 3, [Int](repeating: bits, count: samples)), (259, 3, [1]), (262, 3, [photometric]),
      (274, 3, [orientation]), (277, 3, [samples]), (284, 3, [isPlanar ? 2 : 1]),
      (339, 3, [Int](repeating: kind, count: samples)),
    ]
    if let tile {
      fields += [(322, 3, [tile.width]), (323, 3, [tile.height])]
    } else {
      fields.append((278, 3, [height]))
    }
    if !extras.isEmpty { fields.append((338, 3, extras)) }
    if !colourMap.isEmpty { fields.append((320, 3, colourMap)) }
    if !subsampling.isEmpty { fields.append((530, 3, subsampling)) }
    return fields
  }

  /// Tiles or strips, all of one plane before the next.
  private var blocks: [[UInt8]] {
    if subsampling.contains(2) { return [subsampled] }
    let size = tile ?? (width, height)
    var blocks: [[UInt8]] = []
    for plane in 0..<(isPlanar ? samples : 1) {
      let wanted = isPlanar ? [plane] : Array(0..<samples)
      for top in stride(from: 0, to: height, by: size.height) {
        for left in stride(from: 0, to: width, by: size.width) {
          var bytes: [UInt8] = []
          for y in top..<(top + size.height) {
            bytes += row(
              (left..<(left + size.width)).flatMap { x in
                wanted.map { value(min(x, width - 1), min(y, height - 1), $0) }
              })
          }
          blocks.append(bytes)
        }
      }
    }
    return blocks
  }

  /// Section 21: four lumas and one of each difference.
  private var subsampled: [UInt8] {
    var bytes: [UInt8] = []
    for y in stride(from: 0, to: height, by: 2) {
      for x in stride(from: 0, to: width, by: 2) {
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          bytes.append(UInt8(value(x + dx, y + dy, 0)))
        }
        bytes += [UInt8(value(x, y, 1)), UInt8(value(x, y, 2))]
      }
    }
    return bytes
  }

  /// Samples packed from the high bit down, each row to whole bytes.
  private func row(_ values: [UInt64]) -> [UInt8] {
    if bits % 8 == 0 {
      return values.flatMap { value in
        let bytes = (0..<(bits / 8)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
      }
    }
    var bytes: [UInt8] = []
    var held: UInt64 = 0
    var count = 0
    for value in values {
      held = held << UInt64(bits) | value
      count += bits
      while count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: held >> UInt64(count)))
      }
      held &= 1 << UInt64(count) - 1
    }
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: held << UInt64(8 - count))) }
    return bytes
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
