/// The last so many rows of pixels of four floats, for a picture that comes from the top.
@safe
final class PixelRing {
  typealias Row = UnsafeMutablePointer<SIMD4<Float>>

  /// Every row, the oldest first once all of them are there.
  let all: UnsafeMutablePointer<Row>
  private let count: Int
  private let store: Row

  init(count: Int, width: Int) {
    self.count = count
    unsafe store = .allocate(capacity: max(1, count * width))
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

  /// The row that came so many rows before the last.
  func row(back: Int) -> Row { unsafe all[count - 1 - back] }
}
