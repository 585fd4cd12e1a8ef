/// Averages a picture down by area, row after row, in linear working light.
///
/// Each pixel of the result is the mean of what lies under it, pixels in part where they are cut, each
/// counted by its alpha.
package final class PictureReduction {
  private let width: Int
  private let height: Int
  private let bytesPerPixel: Int
  private let hasAlpha: Bool
  private let reader: PixelSource
  private let stages: [PixelStage]
  private let columns: [Share]
  private let columnCount: Int
  private let rowCount: Int
  private var row: [SIMD4<Float>]
  private var sums: [SIMD4<Float>]

  /// Neighbouring pixels of which the first and the last may count in part.
  private struct Share {
    var first: Int
    var last: Int
    var firstWeight: Float
    var lastWeight: Float
  }

  /// Colours are worked out as a pass from that layout would.
  package init(
    from layout: PixelLayout, width: Int, height: Int, longest: Int = ReducedPicture.longestSide
  ) {
    self.width = width
    self.height = height
    bytesPerPixel = layout.bytesPerPixel
    hasAlpha = layout.hasAlpha
    let target = Self.target(hasAlpha: layout.hasAlpha)
    let program = ColourProgram(
      from: layout, steps: [], to: target, matte: 1, resources: .none)
    let lowering = PixelLowering(program, from: layout, to: target, .full)
    reader = lowering.reader
    stages = lowering.stages
    (columnCount, rowCount) = ReducedPicture.sides(width, height, longest: longest)
    let scale = Double(width) / Double(columnCount)
    columns = (0..<columnCount).map { column in
      let start = Double(column) * scale
      let end = min(Double(column + 1) * scale, Double(width))
      let first = min(Int(start), width - 1)
      // An end on the border of a pixel takes nothing of the next, also when it is not quite exact.
      let last = max(first, min(Int((end - 1e-9).rounded(.down)), width - 1))
      return Share(
        first: first, last: last,
        firstWeight: Float(first == last ? end - start : Double(first + 1) - start),
        lastWeight: Float(first == last ? 0 : end - Double(last)))
    }
    row = [SIMD4<Float>](repeating: SIMD4(), count: width)
    sums = [SIMD4<Float>](repeating: SIMD4(), count: columnCount * rowCount)
  }

  /// Straight alpha in four bands.
  private static func target(hasAlpha: Bool) -> PixelLayout {
    PixelLayout(
      sample: .float32, bands: 4, alpha: hasAlpha ? .straight : .none, space: .working)
  }

  /// Takes in a row, counted from the top; it holds as many pixels as the picture is wide.
  package func add(_ samples: UnsafeRawPointer, row index: Int) {
    unsafe row.withUnsafeMutableBufferPointer { row in
      unsafe reader.read(samples, into: row)
      for stage in stages { unsafe stage.apply(to: row, at: .origin) }
      if hasAlpha {
        for position in row.indices {
          let pixel = unsafe row[position]
          unsafe row[position] = SIMD4(
            pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
        }
      }
    }
    let scale = Double(rowCount) / Double(height)
    let start = Double(index) * scale
    let end = Double(index + 1) * scale
    let target = min(Int(start), rowCount - 1)
    let border = Double(target + 1)
    add(to: target, weight: Float(min(end, border) - start))
    if end > border + 1e-9, target + 1 < rowCount {
      add(to: target + 1, weight: Float(end - border))
    }
  }

  private func add(to target: Int, weight: Float) {
    unsafe row.withUnsafeBufferPointer { row in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        for column in 0..<columnCount {
          let share = columns[column]
          var sum = unsafe row[share.first] * share.firstWeight
          var position = share.first + 1
          while position < share.last {
            unsafe sum += row[position]
            position += 1
          }
          unsafe sum += row[share.last] * share.lastWeight
          unsafe sums[target * columnCount + column] += sum * weight
        }
      }
    }
  }

  /// After all rows; pixels that are no numbers have become black.
  package func picture() -> ReducedPicture {
    let area = Float(Double(width) / Double(columnCount))
    let pixels = sums.map { sum -> SIMD4<Float> in
      var pixel = sum.uncovered
      pixel.w = hasAlpha ? min(pixel.w / area, 1) : 1
      let isSound = abs(pixel.x) <= 65_536 && abs(pixel.y) <= 65_536 && abs(pixel.z) <= 65_536
      return isSound ? pixel : SIMD4(0, 0, 0, pixel.w > 0 ? pixel.w : 0)
    }
    return ReducedPicture(
      width: columnCount, height: rowCount, pixels: pixels,
      reduction: Double(max(width, height)) / Double(max(columnCount, rowCount)))
  }
}
