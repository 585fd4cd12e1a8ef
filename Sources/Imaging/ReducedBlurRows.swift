import ColourEngine

/// Blocks of pixels averaged, blurred with every weight of the kernel, and interpolated.
///
/// Blocks begin at whole multiples of their side in the picture, wherever the band begins.
@safe
final class ReducedBlurRows: BlurredRows {
  private let factor: Int
  private let planes: Int
  private let taken: Int
  private let reach: Int

  private let incoming: FloatStore
  /// Rows of the block that grows and of the next, by whether their numbers are even.
  private let sums: [FloatStore]
  private let averages: BlockAverages
  private let blurring: DirectBlurRows
  private let kernelReach: Int
  private let blurred: RowRing
  private let line: FloatStore
  private let blurredCount: Int
  private let spread: BlockSpread

  /// The row that comes next.
  private var row: Int
  private let firstBlockRow: Int
  /// The last row of blocks that has begun, and the last that is whole.
  private var begun: Int
  private var whole: Int

  init(_ kernel: SymmetricKernel, factor: Int, band: RowBand, planes: Int) {
    self.factor = factor
    self.planes = planes
    taken = band.takenWidth
    reach = band.reach
    row = band.top
    firstBlockRow = BlockPlace.firstWhole(from: band.top, factor)
    begun = firstBlockRow - 1
    whole = firstBlockRow - 1
    averages = BlockAverages(
      from: band.columns.lowerBound - band.reach, count: taken, factor: factor, planes: planes)
    kernelReach = kernel.reach
    let blurredBlocks = averages.blocks - 2 * kernel.reach
    blurredCount = blurredBlocks * planes
    blurring = DirectBlurRows(kernel, width: blurredBlocks, planes: planes)
    incoming = FloatStore(count: taken * planes)
    sums = [FloatStore(count: taken * planes), FloatStore(count: taken * planes)]
    blurred = RowRing(count: 6, width: blurredCount)
    line = FloatStore(count: blurredCount)
    spread = BlockSpread(
      band.columns, firstBlock: averages.first + kernel.reach, factor: factor, planes: planes)
  }

  func room() -> UnsafeMutablePointer<Float> { unsafe incoming.start }

  func take() {
    let place = BlockPlace(row, factor)
    add(to: place.block, weight: 1 - place.share)
    add(to: place.block + 1, weight: place.share)
    row += 1
    guard place.block >= firstBlockRow, BlockPlace(row, factor).block > place.block else { return }
    whole = place.block
    unsafe averages.write(sums[whole & 1].start, into: blurring.room())
    if whole - firstBlockRow >= 2 * kernelReach { unsafe blurring.give(blurred.advance()) }
  }

  private func add(to block: Int, weight: Float) {
    guard block >= firstBlockRow else { return }
    let isNew = block > begun
    begun = max(begun, block)
    let count = taken * planes
    let from = unsafe incoming.start
    let to = unsafe sums[block & 1].start
    let weight = SIMD8(repeating: weight)
    var x = 0
    while x < count {
      let part = unsafe SIMD8(from, x) * weight
      unsafe (isNew ? part : SIMD8(to, x) + part).store(to, x)
      x &+= 8
    }
  }

  func give(_ target: UnsafeMutablePointer<Float>) {
    let spline = BlockSpline(row - 1 - reach, factor)
    // The kernel's reach above the last whole row of blocks lies the last blurred one.
    let back = whole - kernelReach - spline.block
    let above = unsafe blurred.row(back: back + 1)
    let middle = unsafe blurred.row(back: back)
    let below = unsafe blurred.row(back: back - 1)
    let (first, second, third) = spline.weights
    var x = 0
    while x < blurredCount {
      let sum = unsafe (SIMD8(above, x) * first)
        .adding(SIMD8(middle, x), times: SIMD8(repeating: second))
        .adding(SIMD8(below, x), times: SIMD8(repeating: third))
      unsafe sum.store(line.start, x)
      x &+= 8
    }
    unsafe spread.write(line.start, into: target)
  }
}
