internal import CPixelKernels
import Glibc

/// Shifts of hue, saturation and luminance by eight bands of hue, in Oklab.
struct HueBands: OklabAdjustment {
  static let names = ["red", "orange", "yellow", "green", "aqua", "blue", "purple", "magenta"]
  /// The hues of HSL, in degrees, whose pure colours the bands are centred on.
  static let hues = [0.0, 30, 60, 120, 180, 240, 270, 300]
  /// The turn of hue that a shift of 1 stands for, in radians.
  static let hueScale = Double.pi / 6
  /// The share of its lightness that a shift of luminance by 1 adds to a colour.
  static let luminanceScale = 0.5
  /// From this chroma on the bands act fully.
  static let fullChroma = 0.1

  /// Entries of the table for each quarter of the hues.
  private static let steps = 1024

  /// What full strength adds to L as a share of L, and to a and b as shares of a and b and across.
  ///
  /// Over the hue, taken as the sum of a quarter's number and |b| / (|a| + |b|) or its complement,
  /// from −b by a to b and on by −a.
  private let table: [SIMD4<Float>]
  private let reach: (turn: Double, saturation: Double, luminance: Double)

  /// Eight bands with shifts of hue, saturation and luminance, each from −1 to 1.
  init(shifts: [SIMD3<Double>]) {
    let centres = Self.centres
    table = (0...(4 * Self.steps + 1)).map { index in
      let position = Double(index) / Double(Self.steps)
      let up = position <= 2 ? position - 1 : 3 - position
      let across = position <= 2 ? 1 - abs(up) : abs(up) - 1
      var shift = SIMD3<Double>()
      let weights = Self.weights(hue: atan2(up, across), centres)
      for (weight, part) in zip(weights, shifts) { shift += weight * part }
      let turn = shift.x * Self.hueScale
      let gain = 1 + shift.z * Self.luminanceScale
      let chroma = gain * (1 + shift.y)
      return SIMD4(
        Float(gain - 1), Float(chroma * cos(turn) - 1), Float(chroma * sin(turn)), 0)
    }
    func largest(_ lane: Int) -> Double { shifts.map { abs($0[lane]) }.max() ?? 0 }
    reach = (largest(0) * Self.hueScale, largest(1), largest(2) * Self.luminanceScale)
  }

  /// The Oklab hues of the bands in radians, rising, within a turn from the first.
  static let centres: [Double] = {
    var centres: [Double] = []
    for hue in hues {
      let light = PureHue.encoded(hue).map(TransferCurve.sRGB.decode)
      let lab = Oklab.lab(ofSRGB: [light[0], light[1], light[2]])
      var angle = atan2(lab.z, lab.y)
      while let last = centres.last, angle < last { angle += 2 * .pi }
      centres.append(angle)
    }
    return centres
  }()

  /// Raised cosines from each centre to its neighbours; they add up to 1.
  static func weights(hue: Double, _ centres: [Double]) -> [Double] {
    var hue = hue
    while hue < centres[0] { hue += 2 * .pi }
    let count = centres.count
    let band = (centres.lastIndex { $0 <= hue } ?? 0)
    let end = band + 1 < count ? centres[band + 1] : centres[0] + 2 * .pi
    let share = (1 - cos(.pi * (hue - centres[band]) / (end - centres[band]))) / 2
    var weights = [Double](repeating: 0, count: count)
    weights[band] = 1 - share
    weights[(band + 1) % count] = share
    return weights
  }

  func apply(to planes: ColourPlanes) {
    unsafe table.withUnsafeBufferPointer { table in
      unsafe table.withMemoryRebound(to: Float.self) { entries in
        guard let entries = entries.baseAddress else { return }
        unsafe minilab_oklab_shift_hues(
          planes.start, planes.groups, entries, Int32(Self.steps),
          Float(1 / (Self.fullChroma * Self.fullChroma)))
      }
    }
  }

  /// Chroma is at most 2.6 times the span of the roots; 1.3 of it reaches a root.
  func bounds(withinRoots bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let gain = 1 + reach.luminance
    let moved = gain * (1 + reach.saturation) * (1 + reach.turn) - 1
    let chroma = 3.4 * moved * (bounds.below + bounds.above)
    return SegmentedCurves.Bounds(
      below: gain * bounds.below * 1.01 + chroma, above: gain * bounds.above * 1.01 + chroma)
  }
}

/// The pure colours of HSL's circle.
enum PureHue {
  /// Encoded red, green, blue of HSL(hue, 100 %, 50 %) (CSS Color 4); the hue in degrees.
  static func encoded(_ hue: Double) -> [Double] {
    [0.0, 8, 4].map { offset in
      let k = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      let turned = k < 0 ? k + 12 : k
      return 0.5 - 0.5 * max(-1, min(turned - 3, 9 - turned, 1))
    }
  }

  /// The pure colour less its luma: adding it does not change luma.
  static func withoutLuma(_ hue: Double) -> SIMD3<Double> {
    let colour = encoded(hue)
    let pure = SIMD3(colour[0], colour[1], colour[2])
    return pure - (pure * FilterMeaning.luminance).sum()
  }
}
