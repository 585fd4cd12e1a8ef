/// The last so many rows of pixels of four floats, for a picture that comes from the top.
@safe
final class PixelRing {
  typealias Row = UnsafeMutablePointer<SIMD4<Float>>

  /// Pixels that are added at a time; every row has room for so many more.
  private static let block = 8

  /// Every row, the oldest first once all of them are there.
  private let all: UnsafeMutablePointer<Row>
  private let count: Int
  private let store: Row

  init(count: Int, width: Int) {
    self.count = count
    let width = width + Self.block
    unsafe store = .allocate(capacity: count * width)
    unsafe store.initialize(repeating: SIMD4(), count: count * width)
    unsafe all = .allocate(capacity: count)
    for index in 0..<count { unsafe (all + index).initialize(to: store + index * width) }
  }

  deinit {
    unsafe all.deallocate()
    unsafe store.deallocate()
  }

  /// Room for one more row; the oldest one goes.
  func advance() -> Row {
    let oldest = unsafe all[0]
    for index in 1..<max(1, count) { unsafe all[index - 1] = all[index] }
    unsafe all[count - 1] = oldest
    return unsafe oldest
  }

  /// Adds up all rows, the oldest first; `target` needs room for a few pixels more.
  func sum(into target: Row, count pixels: Int) {
    for x in stride(from: 0, to: pixels, by: Self.block) {
      var sums = unsafe Eight(all[0] + x)
      for index in 1..<max(1, count) { unsafe sums.add(all[index] + x) }
      unsafe sums.store(target + x)
    }
  }

  /// The row that came so many rows before the last.
  func row(back: Int) -> Row { unsafe all[count - 1 - back] }
}

/// Eight pixels, so that their sums stay in registers.
private struct Eight {
  private var a, b, c, d, e, f, g, h: SIMD4<Float>

  @inline(__always)
  init(_ row: PixelRing.Row) {
    unsafe (a, b, c, d) = (row[0], row[1], row[2], row[3])
    unsafe (e, f, g, h) = (row[4], row[5], row[6], row[7])
  }

  @inline(__always)
  mutating func add(_ row: PixelRing.Row) {
    unsafe a += row[0]
    unsafe b += row[1]
    unsafe c += row[2]
    unsafe d += row[3]
    unsafe e += row[4]
    unsafe f += row[5]
    unsafe g += row[6]
    unsafe h += row[7]
  }

  @inline(__always)
  func store(_ row: PixelRing.Row) {
    unsafe (row[0], row[1], row[2], row[3]) = (a, b, c, d)
    unsafe (row[4], row[5], row[6], row[7]) = (e, f, g, h)
  }
}
