package import RenderModel

/// A pixel of a picture by its column and row.
package struct PixelPlace: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  package static let origin = PixelPlace(column: 0, row: 0)
}

/// A filter and where the pixels lie that it will be given.
///
/// A pixel's position is that of its middle: column + ½ from the left, row + ½ from the top.
package struct PlacedStep: Sendable {
  package var step: FilterStep
  /// From a pixel's position to fractions of the whole uncropped picture as it is displayed.
  package var toPicture: Matrix3
  /// From a pixel's position to fractions of the picture as it is at this step, in the stored frame.
  package var toExtent: Matrix3
  /// The sides of the picture as it is at this step, in pixels of the full resolution, stored frame.
  package var extent: SIMD2<Double>
  /// What a local filter has learnt from the reduced picture; nil for all other filters.
  package var analysis: LocalAnalysis?

  package init(
    _ step: FilterStep, toPicture: Matrix3 = .identity, toExtent: Matrix3 = .identity,
    extent: SIMD2<Double> = [1, 1], analysis: LocalAnalysis? = nil
  ) {
    self.step = step
    self.toPicture = toPicture
    self.toExtent = toExtent
    self.extent = extent
    self.analysis = analysis
  }

  /// The same filter for pixels that are counted from another corner: `left` and `top` were cut off.
  package func moved(left: Double, top: Double) -> PlacedStep {
    var moved = self
    let shift = Matrix3.translation(left, top)
    moved.toPicture = toPicture * shift
    moved.toExtent = toExtent * shift
    return moved
  }
}

/// What the files are that a plan's filters read, by their names in the steps.
package struct FilterResources: Sendable {
  package var tables: [String: ColourTable]
  package var bitmaps: [String: MaskBitmap]

  package init(tables: [String: ColourTable] = [:], bitmaps: [String: MaskBitmap] = [:]) {
    self.tables = tables
    self.bitmaps = bitmaps
  }

  package static let none = FilterResources()
}

/// A picture of weights 0…1, as displayed, from the top left row by row.
package final class MaskBitmap: Sendable {
  package let width: Int
  package let height: Int
  package let weights: [Float]

  /// Missing weights count as 0.
  package init(width: Int, height: Int, weights: [Float]) {
    self.width = width
    self.height = height
    self.weights =
      weights + [Float](repeating: 0, count: max(0, width * height - weights.count))
  }
}

extension Matrix3 {
  package static func translation(_ x: Double, _ y: Double) -> Matrix3 {
    Matrix3([1, 0, x], [0, 1, y], [0, 0, 1])
  }

  package static func scale(_ x: Double, _ y: Double) -> Matrix3 {
    Matrix3(diagonal: [x, y, 1])
  }

  /// A point of the plane through the matrix taken as a projective map.
  package func project(_ x: Double, _ y: Double) -> SIMD2<Double> {
    let image = apply([x, y, 1])
    return [image.x, image.y] / image.z
  }
}
