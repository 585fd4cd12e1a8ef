import Glibc

/// A Gaussian to three sigma over rows of any number of interleaved planes.
///
/// From a sigma of some pixels on, blocks are averaged first, blurred, and what lies between them is
/// interpolated; the kernel makes up for what both do. Averages overlap and fall off linearly from the
/// middle of a block, so that fine texture does not come back as a coarse one; quadratic splines lie
/// between, whose width is the same everywhere.
struct GaussianBlur: Hashable, Sendable {
  /// Pixels of a block on a side.
  let factor: Int
  private let kernel: SymmetricKernel

  /// `isFine`: for what makes differences larger, such as sharpening.
  init(sigma: Double, isFine: Bool = false) {
    factor = sigma < (isFine ? 10 : 6) ? 1 : max(2, Int(sigma / (isFine ? 8 : 6)))
    guard factor > 1 else {
      kernel = .gaussian(sigma: sigma)
      return
    }
    let side = Double(factor)
    // Averages of pixels have the variance (f² + ½)/6 or (f² − 1)/6, splines f²/4.
    let averages = (side * side + (factor.isMultiple(of: 2) ? 0.5 : -1)) / 6
    let variance = (sigma * sigma - averages - side * side / 4) / (side * side)
    // Blocks that three sigma reach only in part weigh less; found by comparing with the Gaussian.
    let end = 3 * sigma / side + 0.35 + 0.7 / side
    kernel = SymmetricKernel(
      (0...Int(end.rounded(.up))).map {
        exp(-Double($0 * $0) / (2 * variance)) * min(max(end - Double($0), 0), 1)
      })
  }

  /// Pixels around a pixel that its result depends on; 0 when nothing is blurred.
  var reach: Int {
    factor == 1 ? kernel.reach : ((2 * kernel.reach + 5) * factor + 1) / 2
  }

  /// `planes`: how many floats a pixel has; the band's reach may be more than the blur's own.
  func rows(_ band: RowBand, planes: Int) -> any BlurredRows {
    if factor == 1 { return DirectBlurRows(kernel, width: band.columns.count, planes: planes) }
    return ReducedBlurRows(kernel, factor: factor, band: band, planes: planes)
  }
}

/// Rows that go in from the top and come out blurred, `reach` rows later.
protocol BlurredRows: AnyObject {
  /// Room for the next row; `take` follows when it is filled.
  func room() -> UnsafeMutablePointer<Float>
  func take()
  /// The row that lies `reach` rows above the last one taken; up to 31 floats more may be written.
  func give(_ row: UnsafeMutablePointer<Float>)
}

/// Every weight of the kernel on every pixel, down first and then across.
@safe
final class DirectBlurRows: BlurredRows {
  private let kernel: SymmetricKernel
  private let count: Int
  private let taken: Int
  private let ring: RowRing
  private let line: FloatStore
  private let rows: RowPointers
  private let columns: RowPointers

  init(_ kernel: SymmetricKernel, width: Int, planes: Int) {
    self.kernel = kernel
    let taps = 2 * kernel.reach + 1
    count = width * planes
    taken = (width + 2 * kernel.reach) * planes
    ring = RowRing(count: taps, width: taken)
    line = FloatStore(count: taken)
    rows = RowPointers(count: taps, from: line)
    columns = RowPointers(count: taps, from: line)
    for tap in 0..<taps {
      unsafe columns.start[tap] = UnsafePointer(line.start + tap * planes)
    }
  }

  func room() -> UnsafeMutablePointer<Float> { unsafe ring.advance() }

  func take() {}

  func give(_ row: UnsafeMutablePointer<Float>) {
    for tap in 0..<ring.count {
      unsafe rows.start[tap] = UnsafePointer(ring.row(back: ring.count - 1 - tap))
    }
    unsafe kernel.sum(rows.start, count: taken, into: line.start)
    unsafe kernel.sum(columns.start, count: count, into: row)
  }
}
