import Glibc

/// 1 where the encoded luminance lies in a range.
struct LuminanceRangeMask: MaskFunction {
  private let luminance: SIMD3<Float>
  /// Slope and start of the rise and of the fall; an open end has slope 0 and start 1.
  private let rise: (slope: Float, start: Float)
  private let fall: (slope: Float, start: Float)

  init(from: Double, to: Double, feather: Double) {
    luminance = SIMD3<Float>(RGBSpace.workingLuminance)
    let slope = 1 / max(feather, MaskMath.steepest)
    rise = from <= 0 ? (0, 1) : (Float(slope), Float(1 - from * slope))
    fall = to >= 1 ? (0, 1) : (Float(-slope), Float(1 + to * slope))
  }

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe MaskMath.fill(weights) { index in
      let (red, green, blue) = unsafe MaskMath.channels(block, index)
      let light = red * luminance.x + green * luminance.y + blue * luminance.z
      let e = MaskMath.encode(light)
      return MaskMath.smoothstep(e * rise.slope + rise.start)
        * MaskMath.smoothstep(e * fall.slope + fall.start)
    }
  }
}

/// 1 near a colour, by distance in Oklab.
struct ColourRangeMask: MaskFunction {
  private let oklab = OklabBlock()
  private let centre: SIMD3<Float>
  private let slope: Float
  private let tolerance: Float

  /// `colour`: encoded sRGB.
  init(colour: SIMD3<Double>, tolerance: Double, feather: Double) {
    let light = SIMD3(
      TransferCurve.sRGB.decode(colour.x), TransferCurve.sRGB.decode(colour.y),
      TransferCurve.sRGB.decode(colour.z))
    centre = SIMD3<Float>(OklabBlock.oklab(ofSRGBLight: light))
    slope = Float(1 / max(feather, MaskMath.steepest))
    self.tolerance = Float(tolerance)
  }

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe MaskMath.fill(weights) { index in
      let (red, green, blue) = unsafe MaskMath.channels(block, index)
      let (l, a, b) = oklab.convert(red, green, blue)
      let (x, y, z) = (l - centre.x, a - centre.y, b - centre.z)
      let distance = (x * x + y * y + z * z).squareRoot()
      return MaskMath.smoothstep(1 + (tolerance - distance) * slope)
    }
  }
}

/// 1 near a hue, by the chord between directions in Oklab; grey has no hue and weighs nothing.
struct HueRangeMask: MaskFunction {
  private let oklab = OklabBlock()
  private let direction: SIMD2<Float>
  private let slope: Float
  private let end: Float
  private let chromaSlope: Float

  /// Hue, tolerance and feather in degrees.
  init(hue: Double, tolerance: Double, feather: Double, chroma: Double) {
    func chord(_ degrees: Double) -> Double { 2 * sin(min(degrees, 180) * .pi / 360) }
    direction = SIMD2(Float(cos(hue * .pi / 180)), Float(sin(hue * .pi / 180)))
    let full = chord(tolerance)
    let none = max(chord(tolerance + feather), full + MaskMath.steepest)
    slope = Float(1 / (none - full))
    end = Float(none)
    chromaSlope = Float(1 / max(chroma, MaskMath.steepest))
  }

  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe MaskMath.fill(weights) { index in
      let (red, green, blue) = unsafe MaskMath.channels(block, index)
      let (_, a, b) = oklab.convert(red, green, blue)
      var chroma = (a * a + b * b).squareRoot()
      chroma.replace(with: 1e-9, where: chroma .< 1e-9)
      let (x, y) = (a / chroma - direction.x, b / chroma - direction.y)
      let chord = (x * x + y * y).squareRoot()
      return MaskMath.smoothstep((end - chord) * slope)
        * MaskMath.smoothstep(chroma * chromaSlope)
    }
  }
}

/// Oklab of colours in linear working RGB (B. Ottosson 2020), for four pixels at a time.
struct OklabBlock: Sendable {
  private let red: SIMD3<Float>
  private let green: SIMD3<Float>
  private let blue: SIMD3<Float>

  init() {
    let matrix = Self.srgbToCones * RGBSpace.sRGB.fromWorking
    red = SIMD3<Float>(matrix.column(0))
    green = SIMD3<Float>(matrix.column(1))
    blue = SIMD3<Float>(matrix.column(2))
  }

  @inline(__always)
  func convert(
    _ r: SIMD4<Float>, _ g: SIMD4<Float>, _ b: SIMD4<Float>
  ) -> (l: SIMD4<Float>, a: SIMD4<Float>, b: SIMD4<Float>) {
    let long = MaskMath.cubeRoot(r * red.x + g * green.x + b * blue.x)
    let medium = MaskMath.cubeRoot(r * red.y + g * green.y + b * blue.y)
    let short = MaskMath.cubeRoot(r * red.z + g * green.z + b * blue.z)
    return (
      0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
      1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
      0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    )
  }

  static func oklab(ofSRGBLight light: SIMD3<Double>) -> SIMD3<Double> {
    let cones = srgbToCones.apply(light)
    return conesToOklab.apply([cbrt(cones.x), cbrt(cones.y), cbrt(cones.z)])
  }

  private static let srgbToCones = Matrix3(
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005])
  private static let conesToOklab = Matrix3(
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660])
}
