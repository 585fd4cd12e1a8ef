import Glibc

/// Slope, offset, power and saturation as in ASC CDL, then wheels; on encoded colours, unclamped.
struct Grading: PixelFunction {
  struct Settings: Sendable {
    var slope: SIMD3<Double> = [1, 1, 1]
    var offset: SIMD3<Double> = [0, 0, 0]
    var power: SIMD3<Double> = [1, 1, 1]
    var saturation = 1.0
    /// What is added to black, to the middle and to white.
    var shadows: SIMD3<Double> = [0, 0, 0]
    var midtones: SIMD3<Double> = [0, 0, 0]
    var highlights: SIMD3<Double> = [0, 0, 0]
  }

  private let settings: Settings
  private let slope: SIMD4<Float>
  private let offset: SIMD4<Float>
  private let power: SIMD4<Float>
  private let desaturation: SIMD4<Float>
  /// Coefficients of the parabola over luma that the wheels add up to.
  private let wheels: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  private let hasPower: Bool
  private let hasWheels: Bool

  init(_ settings: Settings) {
    self.settings = settings
    slope = SIMD4(SIMD3<Float>(settings.slope), 1)
    offset = SIMD4(SIMD3<Float>(settings.offset), 0)
    power = SIMD4(SIMD3<Float>(settings.power), 1)
    desaturation = SIMD4(SIMD3(repeating: Float(1 - settings.saturation)), 0)
    let (low, middle, high) = (settings.shadows, settings.midtones, settings.highlights)
    wheels = (
      SIMD4(SIMD3<Float>(low), 0), SIMD4(SIMD3<Float>(2 * (middle - low)), 0),
      SIMD4(SIMD3<Float>(low - 2 * middle + high), 0)
    )
    hasPower = settings.power != [1, 1, 1]
    hasWheels = low != .zero || middle != .zero || high != .zero
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    for index in block.indices { unsafe block[index] = block[index] * slope + offset }
    if hasPower { unsafe raise(block) }
    if settings.saturation != 1 {
      for index in block.indices {
        let value = unsafe block[index]
        unsafe block[index] = value + (SIMD4(repeating: value.luma) - value) * desaturation
      }
    }
    guard hasWheels else { return }
    for index in block.indices {
      let value = unsafe block[index]
      let t = value.heldLuma
      unsafe block[index] = value + ((wheels.2 * t + wheels.1) * t + wheels.0)
    }
  }

  /// Numbers up to 0 stay, and so does alpha.
  ///
  /// Two short loops, for in a long one each result waits for the one before.
  private func raise(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: block.count) { memory in
      for index in block.indices {
        let logarithms = unsafe block[index].atLeast(1e-36).logarithms
        unsafe memory[index] = (logarithms * power).atLeast(-126).atMost(100)
      }
      for index in block.indices {
        let value = unsafe block[index]
        var result = unsafe memory[index].powersOfTwo.replacing(with: value, where: value .<= 0)
        result.w = value.w
        unsafe block[index] = result
      }
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let slope = settings.slope.max()
    let offset = max(settings.offset.max(), -settings.offset.min())
    let above = pow(max(1, bounds.above * slope + offset), max(1, settings.power.max()))
    let below = bounds.below * slope + offset
    let spread = (above + below) * max(0, settings.saturation - 1)
    let added =
      [settings.shadows, settings.midtones, settings.highlights]
      .map { max($0.max(), -$0.min()) }.max() ?? 0
    return SegmentedCurves.Bounds(
      below: below + spread + added, above: above + spread + added)
  }
}
