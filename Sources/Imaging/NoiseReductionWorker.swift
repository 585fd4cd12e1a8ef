/// Works out, in one way down: sums over windows, the line through each, and the lines' averages.
@safe
final class NoiseReductionWorker: RowWorker {
  private typealias Pixel = SIMD4<Float>

  private let radius: Int
  private let bands: Int
  private let width: Int
  private let taken: Int
  private let hasAlpha: Bool
  /// Variance that counts as noise, by lane; where it is 0 the lane stays.
  private let noise: SIMD4<Float>
  private let stays: SIMDMask<SIMD4<Int32>>

  /// Opponent values of the rows that wait.
  private let values: PixelRing
  /// Sums across of value and square, and then of slope and offset, one after the other.
  private let sums: PixelRing
  private let lines: PixelRing
  private let scratch: PixelRing
  private var rowsTaken = 0

  init(_ filter: NoiseReduction, _ band: RowBand) {
    radius = filter.radius
    bands = band.bands
    width = band.columns.count
    taken = band.takenWidth
    hasAlpha = band.bands == 4
    let strengths: SIMD4<Float> = [
      filter.luminanceNoise, filter.colourNoise, filter.colourNoise, 0,
    ]
    noise = strengths.replacing(with: 1, where: strengths .== 0)
    stays = strengths .== 0
    let window = 2 * radius + 1
    values = PixelRing(count: window, width: taken)
    sums = PixelRing(count: window, width: (width + 2 * radius) * 2)
    lines = PixelRing(count: window, width: width * 2)
    scratch = PixelRing(count: 1, width: taken * 2)
  }

  func take(_ row: UnsafePointer<Float>) {
    let window = 2 * radius + 1
    unsafe read(row, into: values.advance())
    unsafe addAcross(values.row(back: 0), into: sums.advance())
    rowsTaken += 1
    guard rowsTaken >= window else { return }
    unsafe fitLines(into: scratch.row(back: 0))
    unsafe addAcross(pairs: scratch.row(back: 0), into: lines.advance())
  }

  func give(_ row: UnsafeMutablePointer<Float>) {
    let window = 2 * radius + 1
    let share = 1 / Float(window * window)
    let value = unsafe values.row(back: 2 * radius) + 2 * radius
    let pairs = unsafe scratch.row(back: 0)
    unsafe lines.sum(into: pairs, count: 2 * width)
    for x in 0..<width {
      let slope = unsafe pairs[2 * x]
      let offset = unsafe pairs[2 * x + 1]
      let scale = hasAlpha ? (slope.w > 1e-6 ? 1 / slope.w : 0) : share
      let own = unsafe value[x]
      let light = OpponentRoot.light((slope * own + offset) * scale)
      unsafe write(light, alpha: own.w, to: row + x * bands)
    }
  }

  private func read(_ row: UnsafePointer<Float>, into target: UnsafeMutablePointer<Pixel>) {
    if hasAlpha {
      for x in 0..<taken {
        var pixel = unsafe UnsafeRawPointer(row + 4 * x).loadUnaligned(as: Pixel.self)
        let alpha = max(0, pixel.w)
        pixel = alpha > 1e-6 ? pixel / alpha : Pixel()
        pixel.w = alpha
        unsafe target[x] = OpponentRoot.from(pixel)
      }
    } else {
      for x in 0..<taken {
        let pixel = unsafe Pixel(row[3 * x], row[3 * x + 1], row[3 * x + 2], 1)
        unsafe target[x] = OpponentRoot.from(pixel)
      }
    }
  }

  private func write(_ light: Pixel, alpha: Float, to target: UnsafeMutablePointer<Float>) {
    if hasAlpha {
      var pixel = light * alpha
      pixel.w = alpha
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: pixel, as: Pixel.self)
    } else {
      unsafe target[0] = light.x
      unsafe target[1] = light.y
      unsafe target[2] = light.z
    }
  }

  /// Sums of value and square over windows across, weighed by alpha, which is the fourth lane's sum.
  private func addAcross(
    _ row: UnsafePointer<Pixel>, into target: UnsafeMutablePointer<Pixel>
  ) {
    let window = 2 * radius + 1
    var sum = Pixel()
    var squares = Pixel()
    for x in 0..<(window - 1) {
      let (value, square) = unsafe Self.weighed(row[x])
      sum += value
      squares += square
    }
    for x in 0..<(width + 2 * radius) {
      let (value, square) = unsafe Self.weighed(row[x + window - 1])
      sum += value
      squares += square
      unsafe target[2 * x] = sum
      unsafe target[2 * x + 1] = squares
      let (last, lastSquare) = unsafe Self.weighed(row[x])
      sum -= last
      squares -= lastSquare
    }
  }

  @inline(__always)
  private static func weighed(_ pixel: Pixel) -> (value: Pixel, square: Pixel) {
    var value = pixel * pixel.w
    let square = value * pixel
    value.w = pixel.w
    return (value, square)
  }

  private func addAcross(
    pairs row: UnsafePointer<Pixel>, into target: UnsafeMutablePointer<Pixel>
  ) {
    let window = 2 * radius + 1
    var slope = Pixel()
    var offset = Pixel()
    for x in 0..<(window - 1) {
      unsafe slope += row[2 * x]
      unsafe offset += row[2 * x + 1]
    }
    for x in 0..<width {
      unsafe slope += row[2 * (x + window - 1)]
      unsafe offset += row[2 * (x + window - 1) + 1]
      unsafe target[2 * x] = slope
      unsafe target[2 * x + 1] = offset
      unsafe slope -= row[2 * x]
      unsafe offset -= row[2 * x + 1]
    }
  }

  /// Slope and offset of the line that fits a window, weighed by alpha.
  private func fitLines(into target: UnsafeMutablePointer<Pixel>) {
    let window = 2 * radius + 1
    let share = 1 / Float(window * window)
    let middle = unsafe values.row(back: radius) + radius
    unsafe sums.sum(into: target, count: 2 * (width + 2 * radius))
    for x in 0..<(width + 2 * radius) {
      let sum = unsafe target[2 * x]
      let squares = unsafe target[2 * x + 1]
      let scale = hasAlpha ? (sum.w > 1e-6 ? 1 / sum.w : 0) : share
      let mean = sum * scale
      var variance = squares * scale - mean * mean
      variance.replace(with: 0, where: variance .< 0)
      var slope = variance / (variance + noise)
      slope.replace(with: 1, where: stays)
      var offset = (1 - slope) * mean
      if hasAlpha {
        let alpha = unsafe middle[x].w
        slope *= alpha
        offset *= alpha
        slope.w = alpha
      }
      unsafe target[2 * x] = slope
      unsafe target[2 * x + 1] = offset
    }
  }
}
