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
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: block.count) { memory in
      guard let start = memory.baseAddress, let pixels = block.baseAddress else { return }
      let planes = unsafe OklabPlanes(start, count: block.count / 4)
      if let before {
        let matrix = LaneMatrix(before)
        unsafe OklabCoding.spread(pixels, over: planes) { matrix.apply($0, $1, $2) }
      } else {
        unsafe OklabCoding.spread(pixels, over: planes) { ($0, $1, $2) }
      }
      unsafe OklabCoding.encode(planes)
      for adjustment in adjustments { unsafe adjustment.apply(to: planes) }
      unsafe OklabCoding.decode(planes)
      if let after {
        let matrix = LaneMatrix(after)
        unsafe OklabCoding.gather(planes, into: pixels) { matrix.apply($0, $1, $2) }
      } else {
        unsafe OklabCoding.gather(planes, into: pixels) { ($0, $1, $2) }
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

/// The way between linear cone responses and Oklab, in short loops.
private enum OklabCoding {
  typealias Lanes = SIMD4<Float>
  typealias Change = (Lanes, Lanes, Lanes) -> (Lanes, Lanes, Lanes)

  @inline(__always)
  static func spread(
    _ pixels: UnsafeMutablePointer<Lanes>, over planes: OklabPlanes, _ change: Change
  ) {
    for index in unsafe 0..<planes.count {
      let four = unsafe pixels + 4 * index
      let (red, green, blue, alpha) = unsafe Lanes.transpose(four[0], four[1], four[2], four[3])
      unsafe (planes.lightness[index], planes.a[index], planes.b[index]) = change(red, green, blue)
      unsafe planes.alpha[index] = alpha
    }
  }

  static func encode(_ planes: OklabPlanes) {
    let all = unsafe planes.lightness
    for index in unsafe 0..<(3 * planes.count) { unsafe all[index] = all[index].cubeRoots }
    for index in unsafe 0..<planes.count {
      let (l, m, s) = unsafe (planes.lightness[index], planes.a[index], planes.b[index])
      unsafe planes.lightness[index] =
        l * 0.2104542553 + m * 0.7936177850 - s * 0.0040720468
      unsafe planes.a[index] = l * 1.9779984951 - m * 2.4285922050 + s * 0.4505937099
      unsafe planes.b[index] = l * 0.0259040371 + m * 0.7827717662 - s * 0.8086757660
    }
  }

  static func decode(_ planes: OklabPlanes) {
    for index in unsafe 0..<planes.count {
      let (lightness, a, b) = unsafe (planes.lightness[index], planes.a[index], planes.b[index])
      let l = lightness + a * 0.3963377774 + b * 0.2158037573
      let m = lightness - a * 0.1055613458 - b * 0.0638541728
      let s = lightness - a * 0.0894841775 - b * 1.2914855480
      unsafe planes.lightness[index] = l * l * l
      unsafe planes.a[index] = m * m * m
      unsafe planes.b[index] = s * s * s
    }
  }

  @inline(__always)
  static func gather(
    _ planes: OklabPlanes, into pixels: UnsafeMutablePointer<Lanes>, _ change: Change
  ) {
    for index in unsafe 0..<planes.count {
      let (red, green, blue) = unsafe change(
        planes.lightness[index], planes.a[index], planes.b[index])
      let four = unsafe pixels + 4 * index
      unsafe (four[0], four[1], four[2], four[3]) = unsafe Lanes.transpose(
        red, green, blue, planes.alpha[index])
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
