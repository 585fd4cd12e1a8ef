/// Lab samples to linear working RGB.
struct LabFunction: PixelFunction {
  private static let lightnessScale: Float = 100 / 116
  private static let lightnessShift: Float = 16 / 116
  private static let redGreen: Float = 1 / 500
  private static let yellowBlue: Float = 1 / 200
  private static let lineStart = SIMD4<Float>(repeating: 4 / 29)
  private static let lineSlope: Float = 108 / 841
  private static let lineEnd = SIMD4<Float>(repeating: 6 / 29)

  /// From XYZ as shares of the white of D50.
  private let toWorking: FloatMatrix

  init() {
    let white = Bradford.connectionWhite
    let adaptation = Bradford.adaptation(from: white, to: Chromaticity.d65.xyz)
    toWorking = FloatMatrix(RGBSpace.xyzToWorking * adaptation * Matrix3(diagonal: white))
  }

  /// a* and b* at their ends give no more.
  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    SegmentedCurves.Bounds(below: 8, above: 8)
  }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    for index in block.indices {
      let pixel = unsafe block[index]
      let middle = pixel.x * Self.lightnessScale + Self.lightnessShift
      let red = (pixel.y * 255 - 128) * Self.redGreen
      let blue = (pixel.z * 255 - 128) * Self.yellowBlue
      let root = SIMD4<Float>(middle + red, middle, middle - blue, 0)
      // CIE 15: a cube, and a straight line below 6/29.
      var shares = root * root * root
      let line = (root - Self.lineStart) * Self.lineSlope
      shares.replace(with: line, where: root .<= Self.lineEnd)
      var light = toWorking.apply(shares)
      light.w = pixel.w
      unsafe block[index] = light
    }
  }
}
