/// Blocks of pixels averaged, blurred with every weight of the kernel, and interpolated linearly.
///
/// Blocks begin at whole multiples of their side in the picture, wherever the band begins.
@safe
final class ReducedBlurRows: BlurredRows {
  private let factor: Int
  private let planes: Int
  private let width: Int
  private let taken: Int
  /// Pixels of a taken row before the first whole block.
  private let skipped: Int
  private let blocks: Int
  private let blurredBlocks: Int

  private let incoming: FloatStore
  private let sums: FloatStore
  private let averages: DirectBlurRows
  private let averageRows: Int
  private let blurred: RowRing
  private let line: FloatStore
  /// For each pixel the block to the left of its middle, and how far it is to the next one.
  private var starts: [Int] = []
  private var shares: [Float] = []

  private var row: Int
  private let reach: Int
  private let firstBlockRow: Int

  init(_ kernel: SymmetricKernel, factor: Int, band: RowBand, planes: Int) {
    self.factor = factor
    self.planes = planes
    width = band.columns.count
    taken = band.takenWidth
    reach = band.reach
    row = band.top
    let left = band.columns.lowerBound - band.reach
    let firstBlock = Self.blockUp(left, factor)
    skipped = firstBlock * factor - left
    blocks = (taken - skipped) / factor
    blurredBlocks = blocks - 2 * kernel.reach
    averageRows = 2 * kernel.reach + 1
    firstBlockRow = Self.blockUp(band.top, factor)
    incoming = FloatStore(count: taken * planes)
    sums = FloatStore(count: taken * planes)
    averages = DirectBlurRows(kernel, width: blurredBlocks, planes: planes)
    blurred = RowRing(count: 3, width: blurredBlocks * planes)
    line = FloatStore(count: (blurredBlocks + 1) * planes)
    for column in band.columns {
      let (block, share) = Self.place(column, factor)
      starts.append((block - firstBlock - kernel.reach) * planes)
      shares.append(share)
    }
  }

  func room() -> UnsafeMutablePointer<Float> { unsafe incoming.start }

  func take() {
    defer { row += 1 }
    guard row >= firstBlockRow * factor else { return }
    let isFirst = (row - firstBlockRow * factor) % factor == 0
    let count = taken * planes
    let from = unsafe UnsafeRawPointer(incoming.start)
    let to = unsafe UnsafeMutableRawPointer(sums.start)
    for offset in stride(from: 0, to: count * 4, by: 16) {
      var sum = unsafe from.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      if !isFirst {
        unsafe sum += to.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      }
      unsafe to.storeBytes(of: sum, toByteOffset: offset, as: SIMD4<Float>.self)
    }
    guard (row - firstBlockRow * factor) % factor == factor - 1 else { return }
    unsafe average(into: averages.room())
    let blockRow = (row - firstBlockRow * factor) / factor
    if blockRow + 1 >= averageRows { unsafe averages.give(blurred.advance()) }
  }

  func give(_ target: UnsafeMutablePointer<Float>) {
    let given = row - 1 - reach
    let (block, share) = Self.place(given, factor)
    // Of the last whole block row, the kernel's reach above it lies the last blurred one.
    let lastBlurred =
      firstBlockRow + (row - firstBlockRow * factor) / factor - 1 - (averageRows - 1) / 2
    let low = unsafe UnsafeRawPointer(blurred.row(back: lastBlurred - block))
    let high = unsafe UnsafeRawPointer(blurred.row(back: lastBlurred - block - 1))
    let mixed = unsafe UnsafeMutableRawPointer(line.start)
    for offset in stride(from: 0, to: blurredBlocks * planes * 4, by: 16) {
      let above = unsafe low.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      let below = unsafe high.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      unsafe mixed.storeBytes(
        of: above + (below - above) * share, toByteOffset: offset, as: SIMD4<Float>.self)
    }
    if planes >= 3 { unsafe spread(target) } else { unsafe spreadSingly(target) }
  }

  /// Four floats at a time; of three planes the next pixel overwrites the fourth.
  private func spread(_ target: UnsafeMutablePointer<Float>) {
    let mixed = unsafe UnsafeRawPointer(line.start)
    let to = UnsafeMutableRawPointer(target)
    let step = planes * 4
    unsafe starts.withUnsafeBufferPointer { starts in
      unsafe shares.withUnsafeBufferPointer { shares in
        for x in 0..<width {
          let offset = unsafe starts[x] * 4
          let left = unsafe mixed.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
          let right = unsafe mixed.loadUnaligned(
            fromByteOffset: offset + step, as: SIMD4<Float>.self)
          let value = unsafe left + (right - left) * shares[x]
          unsafe to.storeBytes(of: value, toByteOffset: x * step, as: SIMD4<Float>.self)
        }
      }
    }
  }

  private func spreadSingly(_ target: UnsafeMutablePointer<Float>) {
    let mixed = unsafe line.start
    for x in 0..<width {
      let (start, share) = (starts[x], shares[x])
      for plane in 0..<planes {
        let left = unsafe mixed[start + plane]
        unsafe target[x * planes + plane] =
          left + (mixed[start + planes + plane] - left) * share
      }
    }
  }

  private func average(into target: UnsafeMutablePointer<Float>) {
    let scale = 1 / Float(factor * factor)
    for block in 0..<blocks {
      let first = unsafe sums.start + (skipped + block * factor) * planes
      for plane in 0..<planes {
        var sum: Float = 0
        for pixel in 0..<factor { unsafe sum += first[pixel * planes + plane] }
        unsafe target[block * planes + plane] = sum * scale
      }
    }
  }

  /// The first block that begins at the place or after it.
  private static func blockUp(_ place: Int, _ factor: Int) -> Int {
    place >= 0 ? (place + factor - 1) / factor : -(-place / factor)
  }

  /// The block whose middle lies at the pixel's middle or before it, and the share of the next one.
  private static func place(_ pixel: Int, _ factor: Int) -> (block: Int, share: Float) {
    let position = (Double(pixel) + 0.5) / Double(factor) - 0.5
    let block = position.rounded(.down)
    return (Int(block), Float(position - block))
  }
}
