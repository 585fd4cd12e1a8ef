package import RenderModel

/// The picture in linear working RGB, averaged down, as it is at one step; not premultiplied.
package struct ReducedPicture: Sendable {
  package var width: Int
  package var height: Int
  /// Row by row from the top left; the fourth lane is alpha.
  package var pixels: [SIMD4<Float>]
  /// Pixels of the full resolution that one pixel stands for, on a side.
  package var reduction: Double

  /// Neither side is longer, in pixels.
  package static let longestSide = 1024

  package init(width: Int, height: Int, pixels: [SIMD4<Float>], reduction: Double) {
    self.width = width
    self.height = height
    self.pixels = pixels
    self.reduction = reduction
  }
}

/// What a local filter learnt from the reduced picture: planes that the full picture looks up.
package final class LocalAnalysis: Sendable {
  package let width: Int
  package let height: Int
  /// By the names that the filter gives them; row by row over the whole extent.
  package let planes: [String: [Float]]
  /// Single numbers by name.
  package let numbers: [String: Double]

  package init(
    width: Int, height: Int, planes: [String: [Float]], numbers: [String: Double] = [:]
  ) {
    self.width = width
    self.height = height
    self.planes = planes
    self.numbers = numbers
  }

  /// nil when the step is no local filter, or lacks a parameter.
  package static func of(_ step: FilterStep, _ picture: ReducedPicture) -> LocalAnalysis? { nil }
}
