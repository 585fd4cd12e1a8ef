import Glibc

/// Adjustments in Oklab, one after the other, on linear cone responses.
///
/// A matrix before or after costs less here than as a stage of its own, where pixels lie apart.
struct OklabFunction: PixelFunction {
  private(set) var adjustments: [any OklabAdjustment]
  private var before: Matrix3?
  private var after: Matrix3?

  init(_ adjustments: [any OklabAdjustment]) { self.adjustments = adjustments }

  /// An adjustment of linear working RGB.
  static func operations(_ adjustment: any OklabAdjustment) -> [ColourProgram.Operation] {
    [
      .matrix(Oklab.conesFromWorking), .function(OklabFunction([adjustment])),
      .matrix(Oklab.workingFromCones),
    ]
  }

  func followed(by next: any PixelFunction) -> (any PixelFunction)? {
    guard let next = next as? OklabFunction, after == nil, next.before == nil else { return nil }
    var both = self
    both.adjustments += next.adjustments
    both.after = next.after
    return both
  }

  /// The same operations with matrices beside such functions made part of them.
  static func takingMatrices(
    _ operations: ArraySlice<ColourProgram.Operation>
  ) -> [ColourProgram.Operation] {
    var result: [ColourProgram.Operation] = []
    for operation in operations {
      switch (result.last, operation) {
      case (.matrix(let matrix), .function(let function as OklabFunction))
      where function.before == nil:
        var function = function
        function.before = matrix
        result[result.count - 1] = .function(function)
      case (.function(let function as OklabFunction), .matrix(let matrix))
      where function.after == nil:
        var function = function
        function.after = matrix
        result[result.count - 1] = .function(function)
      default: result.append(operation)
      }
    }
    return result
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    let whole = block.count / 4 * 4
    if whole > 0 { unsafe applyToFours(UnsafeMutableBufferPointer(rebasing: block[..<whole])) }
    guard whole < block.count else { return }
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 4) { four in
      unsafe four.initialize(repeating: SIMD4())
      for index in whole..<block.count { unsafe four[index - whole] = block[index] }
      unsafe applyToFours(four)
      for index in whole..<block.count { unsafe block[index] = four[index - whole] }
    }
  }

  /// A multiple of four pixels.
  private func applyToFours(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    unsafe withUnsafeTemporaryAllocation(of: OklabQuad.self, capacity: block.count / 4) { quads in
      if let before {
        let matrix = LaneMatrix(before)
        unsafe OklabCoding.encode(block, into: quads) { matrix.apply($0, $1, $2) }
      } else {
        unsafe OklabCoding.encode(block, into: quads) { ($0, $1, $2) }
      }
      for adjustment in adjustments { unsafe adjustment.apply(to: quads) }
      if let after {
        let matrix = LaneMatrix(after)
        unsafe OklabCoding.decode(quads, into: block) { matrix.apply($0, $1, $2) }
      } else {
        unsafe OklabCoding.decode(quads, into: block) { ($0, $1, $2) }
      }
    }
  }

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    let cones = before.map { PixelLowering.bounds(of: $0, within: bounds) } ?? bounds
    var roots = SegmentedCurves.Bounds(below: cbrt(cones.below), above: cbrt(cones.above))
    for adjustment in adjustments { roots = adjustment.bounds(withinRoots: roots) }
    let result = SegmentedCurves.Bounds(below: pow(roots.below, 3), above: pow(roots.above, 3))
    return after.map { PixelLowering.bounds(of: $0, within: result) } ?? result
  }
}

/// The way of four pixels at once between linear cone responses and Oklab.
private enum OklabCoding {
  typealias Lanes = SIMD4<Float>

  @inline(__always)
  static func encode(
    _ block: UnsafeMutableBufferPointer<Lanes>, into quads: UnsafeMutableBufferPointer<OklabQuad>,
    _ cones: (Lanes, Lanes, Lanes) -> (Lanes, Lanes, Lanes)
  ) {
    for index in quads.indices {
      let at = 4 * index
      let (red, green, blue, alpha) = unsafe Lanes.transpose(
        block[at], block[at + 1], block[at + 2], block[at + 3])
      let (long, medium, short) = cones(red, green, blue)
      let (l, m, s) = (long.cubeRoots, medium.cubeRoots, short.cubeRoots)
      unsafe quads[index] = OklabQuad(
        lightness: l * 0.2104542553 + m * 0.7936177850 - s * 0.0040720468,
        a: l * 1.9779984951 - m * 2.4285922050 + s * 0.4505937099,
        b: l * 0.0259040371 + m * 0.7827717662 - s * 0.8086757660, alpha: alpha)
    }
  }

  @inline(__always)
  static func decode(
    _ quads: UnsafeMutableBufferPointer<OklabQuad>, into block: UnsafeMutableBufferPointer<Lanes>,
    _ colours: (Lanes, Lanes, Lanes) -> (Lanes, Lanes, Lanes)
  ) {
    for index in quads.indices {
      let quad = unsafe quads[index]
      let (lightness, a, b) = (quad.lightness, quad.a, quad.b)
      let l = lightness + a * 0.3963377774 + b * 0.2158037573
      let m = lightness - a * 0.1055613458 - b * 0.0638541728
      let s = lightness - a * 0.0894841775 - b * 1.2914855480
      let (red, green, blue) = colours(l * l * l, m * m * m, s * s * s)
      let at = 4 * index
      unsafe (block[at], block[at + 1], block[at + 2], block[at + 3]) = Lanes.transpose(
        red, green, blue, quad.alpha)
    }
  }
}

/// A matrix for four pixels at once.
private struct LaneMatrix {
  private let first: SIMD3<Float>
  private let second: SIMD3<Float>
  private let third: SIMD3<Float>

  init(_ matrix: Matrix3) {
    first = SIMD3(matrix.rows.first)
    second = SIMD3(matrix.rows.second)
    third = SIMD3(matrix.rows.third)
  }

  @inline(__always)
  func apply(
    _ x: SIMD4<Float>, _ y: SIMD4<Float>, _ z: SIMD4<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (
      x * first.x + y * first.y + z * first.z, x * second.x + y * second.y + z * second.z,
      x * third.x + y * third.y + z * third.z
    )
  }
}
