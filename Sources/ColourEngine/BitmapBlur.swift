import Glibc

/// Gaussian blur of a bitmap, its edges going on beyond its ends.
enum BitmapBlur {
  /// σ in pixels of the bitmap; a wide blur gives a smaller bitmap of the same picture.
  static func blurred(_ bitmap: MaskBitmap, across: Double, down: Double) -> MaskBitmap {
    guard across.isFinite, down.isFinite, max(across, down) > 0.01 else { return bitmap }
    let (factorX, factorY) = (factor(across, bitmap.width), factor(down, bitmap.height))
    let small = averaged(bitmap, factorX, factorY)
    let rows = convolved(
      small.weights, lines: small.height, length: small.width,
      kernel(rest(across, bitmap.width, small.width, factorX)))
    let columns = convolved(
      rows, lines: small.width, length: small.height,
      kernel(rest(down, bitmap.height, small.height, factorY)))
    return MaskBitmap(width: small.width, height: small.height, weights: columns)
  }

  /// How many pixels are averaged to one before: σ stays at least 4 of them.
  private static func factor(_ sigma: Double, _ length: Int) -> Int {
    min(max(1, Int(min(sigma, 1e6) / 4)), length)
  }

  /// The σ that is left after averaging, in averaged pixels; no more than the whole picture.
  private static func rest(_ sigma: Double, _ before: Int, _ after: Int, _ factor: Int) -> Double {
    let box = Double(factor * factor - 1) / 12
    let left = max(0, sigma * sigma - box).squareRoot()
    return min(left * Double(after) / Double(before), Double(after))
  }

  /// Each averaged pixel covers the same part of the picture, so its ends may lie inside pixels.
  private static func averaged(_ bitmap: MaskBitmap, _ across: Int, _ down: Int) -> MaskBitmap {
    guard across > 1 || down > 1 else { return bitmap }
    let (width, height) = (
      (bitmap.width + across - 1) / across, (bitmap.height + down - 1) / down
    )
    let rows = reduced(bitmap.weights, lines: bitmap.height, from: bitmap.width, to: width)
    let columns = reduced(rows, lines: width, from: bitmap.height, to: height)
    return MaskBitmap(width: width, height: height, weights: columns)
  }

  /// Averages along each line and gives the lines as columns.
  private static func reduced(_ input: [Float], lines: Int, from: Int, to: Int) -> [Float] {
    var output = [Float](repeating: 0, count: lines * to)
    let step = Double(from) / Double(to)
    for place in 0..<to {
      let (start, end) = (Double(place) * step, Double(place + 1) * step)
      let first = Int(start)
      let last = min(from - 1, Int(end))
      let shares = (first...max(first, last)).map {
        Float((min(end, Double($0 + 1)) - max(start, Double($0))) / step)
      }
      for line in 0..<lines {
        var sum: Float = 0
        for (offset, share) in shares.enumerated() {
          sum += input[line * from + first + offset] * share
        }
        output[place * lines + line] = sum
      }
    }
    return output
  }

  /// One side of the kernel, the middle first; to 3σ.
  private static func kernel(_ sigma: Double) -> [Float] {
    guard sigma > 0.01 else { return [1] }
    let reach = max(1, Int((3 * sigma + 0.5).rounded(.down)))
    let values = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
    return values.map { Float($0 / sum) }
  }

  /// Convolves along each line and gives the lines as columns.
  private static func convolved(
    _ input: [Float], lines: Int, length: Int, _ kernel: [Float]
  ) -> [Float] {
    let reach = kernel.count - 1
    var output = [Float](repeating: 0, count: input.count)
    var padded = [Float](repeating: 0, count: length + 2 * reach)
    for line in 0..<lines {
      for index in padded.indices {
        padded[index] = input[line * length + min(max(index - reach, 0), length - 1)]
      }
      for place in 0..<length {
        let middle = place + reach
        var sum = padded[middle] * kernel[0]
        for offset in 1..<kernel.count {
          sum += (padded[middle - offset] + padded[middle + offset]) * kernel[offset]
        }
        output[place * lines + line] = sum
      }
    }
    return output
  }
}
