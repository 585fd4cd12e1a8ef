/// What a container says of its picture's colours, as code points of ITU-T H.273: CICP and nclx.
package struct CodedColour: Hashable, Sendable {
  package var primaries: Int
  package var transfer: Int
  /// Of the way from YCbCr to RGB, which decoders have gone already.
  package var matrix: Int
  package var isFullRange: Bool
  /// The brightest of the content in cd/m²; nil when the file does not say.
  package var peakLuminance: Double?

  package init(
    primaries: Int, transfer: Int, matrix: Int, fullRange: Bool, peakLuminance: Double? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    isFullRange = fullRange
    self.peakLuminance = peakLuminance
  }

  /// Whether the transfer function is one of ITU-R BT.2100, which no ICC profile can stand for.
  package var isHDR: Bool { transfer == 16 || transfer == 18 }

  /// The meaning of the numbers; nil when the transfer is unspecified, reserved or not rendered.
  ///
  /// Unspecified primaries count as those of BT.709. Whites other than D65 are adapted by Bradford.
  package var space: RGBSpace? {
    guard let primaries = Self.primaries(self.primaries) else { return nil }
    let name = "CICP \(self.primaries)/\(transfer)"
    let toWorking = RGBSpace.toWorking(primaries)
    switch transfer {
    case 16:
      return RGBSpace(
        name: name, hdr: HDRSignal(transfer: .pq, peak: peakLuminance), toWorking: toWorking)
    case 18:
      return RGBSpace(name: name, hdr: HDRSignal(transfer: .hlg), toWorking: toWorking)
    default:
      guard let curve = Self.curve(transfer) else { return nil }
      let space = RGBSpace(name: name, curve: curve, toWorking: toWorking)
      return RGBSpace.standard.first { $0.curves == curveList(curve) && $0.hasPrimaries(of: space) }
        ?? space
    }
  }

  private func curveList(_ curve: TransferCurve) -> [TransferCurve] { [curve, curve, curve] }

  private static func curve(_ transfer: Int) -> TransferCurve? {
    switch transfer {
    case 1, 6, 11, 12, 14, 15: .video
    case 4: .gamma(2.2)
    case 5: .gamma(2.8)
    // SMPTE 240M: 1.1115 · light^0.45 − 0.1115, 4 · light below 0.0228.
    case 7:
      .parametric(type: 3, [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 0.25, 0.0913])
    case 8: .linear
    case 13: .sRGB
    // SMPTE ST 428-1: encoded = (48 · light / 52.37) ^ (1 / 2.6)
    case 17: .parametric(type: 1, [2.6, 1.034_083_9, 0])
    default: nil
    }
  }

  private static func primaries(_ code: Int) -> Primaries? {
    switch code {
    case 1, 2: .rec709
    case 4: corners((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), (0.310, 0.316))
    case 5: corners((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), (0.3127, 0.3290))
    case 6, 7: corners((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), (0.3127, 0.3290))
    case 8: corners((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), (0.310, 0.316))
    case 9: .rec2020
    case 11: corners((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351))
    case 12: .displayP3
    case 22: corners((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), (0.3127, 0.3290))
    default: nil
    }
  }

  private typealias Corner = (x: Double, y: Double)

  private static func corners(
    _ red: Corner, _ green: Corner, _ blue: Corner, _ white: Corner
  ) -> Primaries {
    Primaries(
      red: Chromaticity(x: red.x, y: red.y), green: Chromaticity(x: green.x, y: green.y),
      blue: Chromaticity(x: blue.x, y: blue.y), white: Chromaticity(x: white.x, y: white.y))
  }
}
