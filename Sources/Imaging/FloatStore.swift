/// Floats in memory that stay where they are; zero at first.
///
/// A few more than asked for can be read and written, so that loops may go in whole blocks.
@safe
final class FloatStore {
  private static let slack = 32

  let start: UnsafeMutablePointer<Float>

  init(count: Int) {
    let capacity = max(0, count) + Self.slack
    unsafe start = .allocate(capacity: capacity)
    unsafe start.initialize(repeating: 0, count: capacity)
  }

  deinit { unsafe start.deallocate() }
}

/// The last so many rows of a picture that comes from the top.
@safe
final class RowRing {
  let count: Int
  private let stride: Int
  private let store: FloatStore
  private var newest = 0

  /// `width`: floats of a row.
  init(count: Int, width: Int) {
    self.count = count
    // Four floats at a time may begin at the last pixel of three.
    stride = (width + 4 + 31) / 32 * 32
    store = FloatStore(count: count * stride)
  }

  /// Room for one more row; the oldest one goes.
  func advance() -> UnsafeMutablePointer<Float> {
    newest = newest + 1 == count ? 0 : newest + 1
    return unsafe store.start + newest * stride
  }

  /// The row that came so many rows before the last.
  func row(back: Int) -> UnsafeMutablePointer<Float> {
    let index = newest - back
    return unsafe store.start + (index < 0 ? index + count : index) * stride
  }
}
