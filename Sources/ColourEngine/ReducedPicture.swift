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

  /// The sides of a picture that is made smaller until none is longer than `longest`; halves are rounded up.
  package static func sides(
    _ width: Int, _ height: Int, longest: Int = longestSide
  ) -> (width: Int, height: Int) {
    let long = max(width, height)
    guard long > longest else { return (max(1, width), max(1, height)) }
    func side(_ length: Int) -> Int { max(1, (2 * length * longest + long) / (2 * long)) }
    return (side(width), side(height))
  }

  var shortSide: Double { Double(min(width, height)) }

  /// Luminance, not below 0 and always a number.
  var luminance: [Float] {
    let weights = SIMD3<Float>(RGBSpace.workingLuminance)
    return pixels.map { pixel in
      let light = pixel.x * weights.x + pixel.y * weights.y + pixel.z * weights.z
      return light > 0 ? min(light, 65_536) : 0
    }
  }

  var opacities: [Float] { pixels.map { $0.w > 0 ? min($0.w, 1) : 0 } }
}

extension ReducedPicture {
  /// Another picture whose pixels are looked up here, bilinearly; beyond the edge the edge goes on.
  ///
  /// `map` leads from a position in the new picture to the one in this, as a projective map.
  package func resampled(width: Int, height: Int, through map: Matrix3) -> ReducedPicture {
    var result: [SIMD4<Float>] = []
    result.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        result.append(value(at: map.project(Double(column) + 0.5, Double(row) + 0.5)))
      }
    }
    return ReducedPicture(width: width, height: height, pixels: result, reduction: reduction)
  }

  private func value(at position: SIMD2<Double>) -> SIMD4<Float> {
    let (left, across) = Self.neighbour(position.x, width)
    let (top, down) = Self.neighbour(position.y, height)
    let right = min(left + 1, width - 1)
    let bottom = min(top + 1, height - 1)
    func covered(_ column: Int, _ row: Int, _ weight: Float) -> SIMD4<Float> {
      let pixel = pixels[row * width + column]
      return SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) * weight
    }
    var sum = covered(left, top, (1 - across) * (1 - down))
    sum += covered(right, top, across * (1 - down))
    sum += covered(left, bottom, (1 - across) * down)
    sum += covered(right, bottom, across * down)
    return sum.uncovered
  }

  /// The pixel before a position, and how far it lies on the way to the next.
  private static func neighbour(_ position: Double, _ count: Int) -> (Int, Float) {
    // Also what is not finite ends up inside.
    let inside = position > 0.5 ? min(position - 0.5, Double(count - 1)) : 0
    let whole = inside.rounded(.down)
    return (Int(whole), Float(inside - whole))
  }

  /// Blurred by a Gaussian of that σ, to 3 σ, with the edges carried on.
  package func blurred(sigma: Double, weight: (Double) -> Double) -> ReducedPicture {
    guard sigma > 0.1, sigma.isFinite else { return self }
    // Far beyond the picture's size its edges are all that is seen.
    let reach = Int(min(3 * sigma + 0.5, 1e5))
    guard reach > 0 else { return self }
    let weights = (-reach...reach).map { Float(weight(Double($0) / sigma)) }
    var result = self
    for index in result.pixels.indices {
      let pixel = pixels[index]
      result.pixels[index] = SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
    }
    result.pixels = Self.blur(result.pixels, weights, lines: height, width, count: width, 1)
    result.pixels = Self.blur(result.pixels, weights, lines: width, 1, count: height, width)
    for index in result.pixels.indices {
      result.pixels[index] = result.pixels[index].uncovered
      result.pixels[index].w = pixels[index].w
    }
    return result
  }

  private static func blur(
    _ pixels: [SIMD4<Float>], _ weights: [Float], lines: Int, _ line: Int, count: Int, _ step: Int
  ) -> [SIMD4<Float>] {
    let reach = weights.count / 2
    // The weights before each tap together: those beyond an edge all fall on the edge's pixel.
    var before: [Float] = [0]
    for weight in weights { before.append(before[before.count - 1] + weight) }
    let total = before[weights.count]
    var result = pixels
    for start in stride(from: 0, to: lines * line, by: line) {
      let (firstPixel, lastPixel) = (pixels[start], pixels[start + (count - 1) * step])
      for index in 0..<count {
        let first = max(0, index - reach)
        let last = min(count - 1, index + reach)
        var sum = firstPixel * before[first - index + reach]
        sum += lastPixel * (total - before[last - index + reach + 1])
        for other in first...last {
          sum += pixels[start + other * step] * weights[other - index + reach]
        }
        result[start + index * step] = sum / total
      }
    }
    return result
  }
}

extension SIMD4<Float> {
  /// Premultiplied colour made independent of its alpha; nothing where there is none.
  var uncovered: SIMD4<Float> {
    guard w > 0 else { return SIMD4() }
    var result = self / w
    result.w = w
    return result
  }
}
