import ColourEngine

/// Works out, in one way down: sums over windows, the line through each, and the lines' averages.
///
/// Each of brightness and the colour differences lies in a plane of its own; those in which nothing
/// counts as noise stay as they are.
@safe
final class NoiseReductionWorker: RowWorker {
  private let radius: Int
  private let width: Int
  private let taken: Int
  private let hasAlpha: Bool
  /// Variance that counts as noise, of the planes that are smoothed.
  private let smoothed: [(plane: Int, noise: Float)]
  /// Floats from one plane of a row to the next.
  private let stride: Int

  private let pixels: PixelRow
  /// Opponent values and alpha of the rows that wait.
  private let own: RowRing
  /// Of each smoothed plane its values and their squares, and at last how much they count: alpha.
  private let values: SlidingSums
  /// Of each smoothed plane slope and offset, weighed in the same way.
  private let lines: SlidingSums
  private let across: WindowSums
  /// The sums over whole windows of a row, plane by plane.
  private let whole: FloatStore

  init(_ filter: NoiseReduction, _ band: RowBand) {
    radius = filter.radius
    width = band.columns.count
    taken = band.takenWidth
    hasAlpha = band.bands == 4
    smoothed = [filter.luminanceNoise, filter.colourNoise, filter.colourNoise].enumerated()
      .filter { $0.element > 0 }.map { ($0.offset, $0.element) }
    // Eight lanes may go beyond the end of what a row holds.
    stride = (taken + 8 + 15) / 16 * 16
    pixels = PixelRow(bands: band.bands)
    let window = 2 * filter.radius + 1
    let planes = 2 * smoothed.count + (hasAlpha ? 1 : 0)
    own = RowRing(count: window, width: 4 * stride)
    values = SlidingSums(window: window, width: planes * stride)
    lines = SlidingSums(window: window, width: planes * stride)
    across = WindowSums(window: window, width: stride)
    whole = FloatStore(count: planes * stride)
  }

  /// The plane of weights behind those that they weigh.
  private var weights: Int { 2 * smoothed.count * stride }
  private var scale: Float { 1 / Float((2 * radius + 1) * (2 * radius + 1)) }

  func take(_ row: UnsafePointer<Float>) {
    unsafe read(row)
    weigh()
    values.add()
    guard values.isComplete else { return }
    unsafe fitLines(into: lines.room())
    lines.add()
  }

  private func read(_ row: UnsafePointer<Float>) {
    let own = unsafe own.advance()
    let (stride, hasAlpha) = (stride, hasAlpha)
    unsafe pixels.read(row, count: taken) { x, premultiplied in
      var light = premultiplied
      if hasAlpha {
        light.alpha.replace(with: 0, where: light.alpha .< 0)
        let isCovered = light.alpha .> 1e-6
        let share = SIMD8<Float>(repeating: 0)
          .replacing(with: 1 / light.alpha.replacing(with: 1, where: .!isCovered), where: isCovered)
        light.red *= share
        light.green *= share
        light.blue *= share
        unsafe light.alpha.store(own, x &+ 3 &* stride)
      }
      let value = OpponentRoot(light)
      unsafe value.brightness.store(own, x)
      unsafe value.blueness.store(own, x &+ stride)
      unsafe value.redness.store(own, x &+ 2 &* stride)
    }
  }

  /// Values and squares of the row that was read, weighed by alpha.
  private func weigh() {
    let own = unsafe own.row(back: 0)
    let target = unsafe values.room()
    let alpha = unsafe own + 3 * stride
    for (index, part) in smoothed.enumerated() {
      let value = unsafe own + part.plane * stride
      let weighed = unsafe target + 2 * index * stride
      let squares = unsafe weighed + stride
      var x = 0
      while x < taken {
        let plain = unsafe SIMD8(value, x)
        let counted = unsafe hasAlpha ? plain * SIMD8(alpha, x) : plain
        unsafe counted.store(weighed, x)
        unsafe (counted * plain).store(squares, x)
        x &+= 8
      }
    }
    if hasAlpha { unsafe (target + weights).update(from: alpha, count: taken) }
  }

  /// Slope and offset of the line that fits each window, weighed by alpha.
  private func fitLines(into target: UnsafeMutablePointer<Float>) {
    let fitted = width + 2 * radius
    let alpha = unsafe own.row(back: radius) + 3 * stride + radius
    unsafe addAcross(values.sums.start, count: fitted)
    for (index, part) in smoothed.enumerated() {
      let sums = unsafe whole.start + 2 * index * stride
      let squares = unsafe sums + stride
      let slopes = unsafe target + 2 * index * stride
      let offsets = unsafe slopes + stride
      var x = 0
      while x < fitted {
        let share = share(x)
        let mean = unsafe SIMD8(sums, x) * share
        var variance = unsafe SIMD8(squares, x) * share - mean * mean
        variance.replace(with: 0, where: variance .< 0)
        var slope = variance / (variance + part.noise)
        var offset = mean - slope * mean
        if hasAlpha {
          let weight = unsafe SIMD8(alpha, x)
          slope *= weight
          offset *= weight
        }
        unsafe slope.store(slopes, x)
        unsafe offset.store(offsets, x)
        x &+= 8
      }
    }
    if hasAlpha { unsafe (target + weights).update(from: alpha, count: fitted) }
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    let own = unsafe own.row(back: 2 * radius) + 2 * radius
    unsafe addAcross(lines.sums.start, count: width)
    // In place of what was there, which nothing needs any more.
    for (index, part) in smoothed.enumerated() {
      let slopes = unsafe whole.start + 2 * index * stride
      let offsets = unsafe slopes + stride
      let value = unsafe own + part.plane * stride
      var x = 0
      while x < width {
        let line = unsafe SIMD8(offsets, x).adding(SIMD8(slopes, x), times: SIMD8(value, x))
        unsafe (line * share(x)).store(value, x)
        x &+= 8
      }
    }
    let (stride, hasAlpha) = (stride, hasAlpha)
    unsafe pixels.write(row, count: width) { x in
      let value = unsafe OpponentRoot(
        brightness: SIMD8(own, x), blueness: SIMD8(own, x &+ stride),
        redness: SIMD8(own, x &+ 2 &* stride))
      var light = value.light
      if hasAlpha {
        light.alpha = unsafe SIMD8(own, x &+ 3 &* stride)
        light.red *= light.alpha
        light.green *= light.alpha
        light.blue *= light.alpha
      }
      return light
    }
  }

  /// What sums over a whole window are multiplied by to be means.
  @inline(__always)
  private func share(_ x: Int) -> SIMD8<Float> {
    guard hasAlpha else { return SIMD8(repeating: scale) }
    let weight = unsafe SIMD8(whole.start, weights &+ x)
    let counts = weight .> 1e-6
    return SIMD8(repeating: 0)
      .replacing(with: 1 / weight.replacing(with: 1, where: .!counts), where: counts)
  }

  private func addAcross(_ sums: UnsafePointer<Float>, count: Int) {
    let planes = 2 * smoothed.count + (hasAlpha ? 1 : 0)
    for plane in 0..<planes {
      unsafe across.add(
        sums + plane * stride, into: whole.start + plane * stride, count: count)
    }
  }
}
