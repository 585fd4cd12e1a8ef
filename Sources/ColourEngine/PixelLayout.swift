/// How pixels lie in memory and what their numbers mean.
package struct PixelLayout: Hashable, Sendable {
  package enum Sample: Hashable, Sendable {
    case uint8, uint16, float32

    package var bytes: Int {
      switch self {
      case .uint8: 1
      case .uint16: 2
      case .float32: 4
      }
    }
  }

  package enum Alpha: Hashable, Sendable {
    /// A second or fourth band, if any, is filling.
    case none
    /// Colour independent of alpha, as in PNG.
    case straight
    /// Colour samples, as encoded by the space, times alpha.
    case premultiplied
  }

  package var sample: Sample
  /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
  package var bands: Int
  package var alpha: Alpha
  package var space: RGBSpace

  package init(sample: Sample, bands: Int, alpha: Alpha, space: RGBSpace) {
    self.sample = sample
    self.bands = bands
    self.alpha = alpha
    self.space = space
  }

  package static let working = PixelLayout(
    sample: .float32, bands: 3, alpha: .none, space: .working)
  package static let workingWithAlpha = PixelLayout(
    sample: .float32, bands: 4, alpha: .premultiplied, space: .working)

  package var isGrey: Bool { bands <= 2 }
  package var hasAlpha: Bool { alpha != .none && (bands == 2 || bands == 4) }
  package var bytesPerPixel: Int { bands * sample.bytes }
}
