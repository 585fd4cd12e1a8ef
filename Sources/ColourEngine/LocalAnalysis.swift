package import RenderModel

/// What a local filter learnt from the reduced picture: coefficients that the full picture looks up.
package final class LocalAnalysis: Sendable {
  package let width: Int
  package let height: Int
  /// a and b of the guided filter, row by row over the whole extent.
  package let coefficients: [SIMD2<Float>]
  /// The colour of thick haze; 1 for filters that don't ask for it.
  package let airLight: SIMD3<Float>

  package init(
    width: Int, height: Int, coefficients: [SIMD2<Float>], airLight: SIMD3<Float> = [1, 1, 1]
  ) {
    self.width = width
    self.height = height
    self.coefficients = coefficients
    self.airLight = airLight
  }

  /// False also for local filters that change nothing.
  package static func isNeeded(by step: FilterStep) -> Bool {
    LocalMeaning(step).map { !$0.isIdentity } ?? false
  }

  /// nil when the step is no local filter, or lacks a parameter, or changes nothing.
  package static func of(_ step: FilterStep, _ picture: ReducedPicture) -> LocalAnalysis? {
    guard picture.width > 0, picture.height > 0,
      let meaning = LocalMeaning(step), !meaning.isIdentity
    else { return nil }
    switch meaning {
    case .highlightsShadows: return base(of: picture, radius: LocalMeaning.toneRadius)
    case .localContrast(_, let radius): return base(of: picture, radius: radius)
    case .dehaze: return haze(of: picture)
    }
  }

  /// Smoothed luminance, in stops.
  private static func base(of picture: ReducedPicture, radius: Double) -> LocalAnalysis {
    let filter = GuidedFilter(
      width: picture.width, height: picture.height, weights: picture.opacities,
      radius: radius * picture.shortSide, epsilon: LocalMeaning.toneEpsilon)
    return LocalAnalysis(
      width: picture.width, height: picture.height,
      coefficients: filter.coefficients(guide: LocalMeaning.stops(of: picture.luminance)))
  }

  /// How much of the air's light lies over each place, from 0 to 1.
  private static func haze(of picture: ReducedPicture) -> LocalAnalysis {
    let channel = DarkChannel(
      reach: Int((LocalMeaning.patchRadius * picture.shortSide).rounded()))
    let airLight = channel.airLight(of: picture)
    var haze = channel.darkness(of: picture, airLight: airLight)
    for index in haze.indices where haze[index] == .infinity { haze[index] = 0 }
    let filter = GuidedFilter(
      width: picture.width, height: picture.height, weights: picture.opacities,
      radius: LocalMeaning.hazeRadius * picture.shortSide, epsilon: LocalMeaning.hazeEpsilon)
    let guide = picture.luminance.map { min($0, 1).squareRoot() }
    return LocalAnalysis(
      width: picture.width, height: picture.height,
      coefficients: filter.coefficients(guide: guide, target: haze), airLight: airLight)
  }
}
