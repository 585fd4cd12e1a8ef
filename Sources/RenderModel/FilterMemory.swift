/// What filters hold in memory beside the picture itself, in bytes; saturates.
enum FilterMemory {
  /// A working pixel: four 32-bit floats.
  private static let pixel = 16.0

  /// Rows that filters of a pixel's surroundings remember, of a picture of that width.
  static func rows(_ filters: [FilterStep], width: Int, threads: Int) -> Int {
    var total = 0.0
    for step in filters {
      guard let radius = step.number("radius"), radius > 0 else { continue }
      // Bands of columns overlap, and reach over the picture's edges.
      let wide = 1.25 * Double(width) + 1024
      let reach: Double
      let rows: Double
      switch step.name {
      case "blur":
        reach = blurReach(radius)
        rows = blurRows(radius)
      case "sharpen":
        reach = blurReach(radius, direct: 10)
        // The colours wait beside two planes of light; two more are blurred where there is alpha.
        rows = 1.5 * (reach + 1) + blurRows(radius, direct: 10) / 2 + 2
      case "noiseReduction":
        reach = 2 * radius
        // Opponent values, and in two windows a value, a square and a weight for each of them.
        rows = (reach + 2) * (4 + 7 + 7) / 4 + 4
      default: continue
      }
      let isMixed = step.opacity < 1 || step.mask != nil
      total += (rows + (isMixed ? reach + 2 : 0)) * wide * pixel
    }
    return AdjustedSize.whole(total * Double(max(1, threads)))
  }

  private static func blurReach(_ sigma: Double, direct: Double = 6) -> Double {
    sigma < direct ? 3 * sigma + 1 : 4 * sigma + 8
  }

  /// From the sigma `direct` on rows are blocks of pixels averaged, at least two on a side, and there are
  /// up to 60 of them.
  private static func blurRows(_ sigma: Double, direct: Double = 6) -> Double {
    sigma < direct
      ? 2 * blurReach(sigma, direct: direct) + 2
      : 6 + max(2 * 3 * sigma / 2, 60) / max(2, sigma / 8)
  }

  /// A picture is kept whole between filters of surroundings and turns, whichever come first.
  static func turned(_ filters: [FilterStep], pixels: Int) -> Int {
    let turns = filters.compactMap { step -> Bool? in
      switch step.name {
      case "blur", "sharpen", "noiseReduction": false
      case "straighten", "perspective": true
      default: nil
      }
    }
    let changes = zip(turns, turns.dropFirst()).count { $0 != $1 }
    return AdjustedSize.whole(Double(changes) * Double(pixels) * pixel)
  }

  /// LUTs that are pictures: 256 points a side at most, 8 bytes each, and once more for a decoder that
  /// has to hold all of a picture that is not in the order of its rows.
  ///
  /// What a file is, its bytes say, which nobody has read yet; texts are named `.cube` everywhere.
  static func tables(_ filters: [FilterStep]) -> Int {
    let pictures = Set(filters.filter { $0.name == "lut3d" }.compactMap { $0.file("path") })
      .filter { !$0.lowercased().hasSuffix(".cube") }
    let (bytes, isTooMuch) = pictures.count.multipliedReportingOverflow(by: 2 * 8 << 24)
    return isTooMuch ? .max : bytes
  }
}
