import Glibc

/// The Oklab space of B. Ottosson (2020) with the matrices of 2021-01-25 for linear sRGB.
enum Oklab {
  /// Linear RGB on sRGB primaries to the cone responses l, m, s.
  static let conesFromSRGB = Matrix3(
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005])
  /// Cube roots of the cone responses to L, a, b.
  static let labFromRoots = Matrix3(
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660])

  static let conesFromWorking = conesFromSRGB * RGBSpace.sRGB.fromWorking
  static let workingFromCones = conesFromWorking.inverse ?? .identity
  static let rootsFromLab = labFromRoots.inverse ?? .identity

  /// L, a, b of linear RGB on sRGB primaries.
  static func lab(ofSRGB light: SIMD3<Double>) -> SIMD3<Double> {
    let cones = conesFromSRGB.apply(light)
    return labFromRoots.apply([cbrt(cones.x), cbrt(cones.y), cbrt(cones.z)])
  }
}

/// Four pixels in Oklab.
struct OklabQuad: Sendable {
  var lightness: SIMD4<Float>
  var a: SIMD4<Float>
  var b: SIMD4<Float>
  var alpha: SIMD4<Float>

  @inline(__always)
  var squaredChroma: SIMD4<Float> { a * a + b * b }
}

/// A change of colours in Oklab.
protocol OklabAdjustment: Sendable {
  func apply(to quads: UnsafeMutableBufferPointer<OklabQuad>)

  /// Where cube roots of cone responses can lie afterwards.
  func bounds(withinRoots bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds
}

/// Adjustments in Oklab, one after the other, on linear cone responses.
struct OklabFunction: PixelFunction {
  var adjustments: [any OklabAdjustment]

  /// An adjustment of linear working RGB.
  static func operations(_ adjustment: any OklabAdjustment) -> [ColourProgram.Operation] {
    [
      .matrix(Oklab.conesFromWorking), .function(OklabFunction(adjustments: [adjustment])),
      .matrix(Oklab.workingFromCones),
    ]
  }

  func followed(by next: any PixelFunction) -> (any PixelFunction)? {
    guard let next = next as? OklabFunction else { return nil }
    return OklabFunction(adjustments: adjustments + next.adjustments)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let count = (block.count + 3) / 4
    unsafe withUnsafeTemporaryAllocation(of: OklabQuad.self, capacity: count) { quads in
      let whole = block.count / 4
      for index in 0..<whole {
        let at = 4 * index
        unsafe quads[index] = OklabCoding.standard.quad(
          block[at], block[at + 1], block[at + 2], block[at + 3])
      }
      let rest = block.count - 4 * whole
      if rest > 0 {
        let last = unsafe block[block.count - 1]
        unsafe quads[whole] = OklabCoding.standard.quad(
          block[4 * whole], rest > 1 ? block[4 * whole + 1] : last,
          rest > 2 ? block[4 * whole + 2] : last, last)
      }
      for adjustment in adjustments { unsafe adjustment.apply(to: quads) }
      for index in 0..<whole {
        let at = 4 * index
        unsafe (block[at], block[at + 1], block[at + 2], block[at + 3]) =
          OklabCoding.standard.pixels(quads[index])
      }
      if rest > 0 {
        let pixels = unsafe OklabCoding.standard.pixels(quads[whole])
        unsafe block[4 * whole] = pixels.0
        if rest > 1 { unsafe block[4 * whole + 1] = pixels.1 }
        if rest > 2 { unsafe block[4 * whole + 2] = pixels.2 }
      }
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    var roots = SegmentedCurves.Bounds(below: cbrt(bounds.below), above: cbrt(bounds.above))
    for adjustment in adjustments { roots = adjustment.bounds(withinRoots: roots) }
    return SegmentedCurves.Bounds(below: pow(roots.below, 3), above: pow(roots.above, 3))
  }
}

/// The numbers between cone responses and Oklab as floats.
private struct OklabCoding {
  static let standard = OklabCoding()

  @inline(__always)
  func quad(
    _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>
  ) -> OklabQuad {
    let (long, medium, short, alpha) = SIMD4.transpose(first, second, third, fourth)
    let (l, m, s) = (long.cubeRoots, medium.cubeRoots, short.cubeRoots)
    return OklabQuad(
      lightness: l * 0.2104542553 + m * 0.7936177850 - s * 0.0040720468,
      a: l * 1.9779984951 - m * 2.4285922050 + s * 0.4505937099,
      b: l * 0.0259040371 + m * 0.7827717662 - s * 0.8086757660, alpha: alpha)
  }

  @inline(__always)
  func pixels(_ quad: OklabQuad) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let (lightness, a, b) = (quad.lightness, quad.a, quad.b)
    let l = lightness + a * 0.3963377774 + b * 0.2158037573
    let m = lightness - a * 0.1055613458 - b * 0.0638541728
    let s = lightness - a * 0.0894841775 - b * 1.2914855480
    return SIMD4.transpose(l * l * l, m * m * m, s * s * s, quad.alpha)
  }
}
