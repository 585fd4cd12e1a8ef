import Glibc

/// Gaussian blur of a bitmap whose edges go on beyond its ends; a wide one gives a smaller bitmap.
struct BitmapBlur: Sendable {
  /// What happens along one side.
  struct Axis: Sendable {
    let length: Int
    /// The length after averaging.
    let reduced: Int
    /// One side of the Gaussian after averaging, the middle first, to 3σ.
    let kernel: [Float]

    init(length: Int, sigma: Double) {
      self.length = length
      // σ stays at least 8 of what is left, so that little is lost between its pixels.
      let factor = min(max(1, Int(min(sigma, 1e6) / 8)), max(1, length))
      reduced = (length + factor - 1) / factor
      // What the averages have blurred is done already; no more than the whole picture is seen.
      let left = max(0, sigma * sigma - Double(factor * factor - 1) / 12).squareRoot()
      kernel = Self.kernel(
        min(left * Double(reduced) / Double(max(1, length)), Double(reduced)))
    }

    private static func kernel(_ sigma: Double) -> [Float] {
      guard sigma > 0.01 else { return [1] }
      let reach = max(1, Int((3 * sigma + 0.5).rounded(.down)))
      let values = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
      let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
      return values.map { Float($0 / sum) }
    }
  }

  let across: Axis
  let down: Axis

  /// σ in pixels; what is no number counts as 0.
  init(width: Int, height: Int, across: Double, down: Double) {
    self.across = Axis(length: width, sigma: across.isFinite ? across : 0)
    self.down = Axis(length: height, sigma: down.isFinite ? down : 0)
  }

  var isIdentity: Bool { across.kernel.count == 1 && down.kernel.count == 1 }

  func blurred(_ weights: [Float]) -> [Float] {
    var result = weights
    if down.reduced < down.length || across.reduced < across.length {
      result = Self.averagedDown(result, across.length, down)
      result = Self.averagedAcross(result, across, rows: down.reduced)
    }
    result = Self.convolvedAcross(result, across, rows: down.reduced)
    return Self.convolvedDown(result, across.reduced, down)
  }

  /// The input's places that one place of the result covers, and how much of it each gives.
  private static func shares(_ place: Int, _ axis: Axis) -> (first: Int, shares: [Float]) {
    let step = Double(axis.length) / Double(axis.reduced)
    let (start, end) = (Double(place) * step, Double(place + 1) * step)
    let first = Int(start)
    let last = max(first, min(axis.length - 1, Int(end)))
    let shares = (first...last).map {
      Float((min(end, Double($0 + 1)) - max(start, Double($0))) / step)
    }
    return (first, shares)
  }

  private static func averagedDown(_ input: [Float], _ width: Int, _ axis: Axis) -> [Float] {
    var output = [Float](repeating: 0, count: width * axis.reduced)
    for place in 0..<axis.reduced {
      let (first, shares) = shares(place, axis)
      for (offset, share) in shares.enumerated() {
        let (from, to) = ((first + offset) * width, place * width)
        for column in 0..<width { output[to + column] += input[from + column] * share }
      }
    }
    return output
  }

  private static func averagedAcross(_ input: [Float], _ axis: Axis, rows: Int) -> [Float] {
    var output = [Float](repeating: 0, count: axis.reduced * rows)
    for place in 0..<axis.reduced {
      let (first, shares) = shares(place, axis)
      for row in 0..<rows {
        var sum: Float = 0
        for (offset, share) in shares.enumerated() {
          sum += input[row * axis.length + first + offset] * share
        }
        output[row * axis.reduced + place] = sum
      }
    }
    return output
  }

  private static func convolvedAcross(_ input: [Float], _ axis: Axis, rows: Int) -> [Float] {
    let (kernel, width) = (axis.kernel, axis.reduced)
    let reach = kernel.count - 1
    guard reach > 0 else { return input }
    var output = [Float](repeating: 0, count: input.count)
    var padded = [Float](repeating: 0, count: width + 2 * reach)
    for row in 0..<rows {
      let start = row * width
      for index in padded.indices {
        padded[index] = input[start + min(max(index - reach, 0), width - 1)]
      }
      add(padded, reach, kernel[0], to: &output, start, width)
      for offset in 1...reach {
        add(padded, reach - offset, kernel[offset], to: &output, start, width)
        add(padded, reach + offset, kernel[offset], to: &output, start, width)
      }
    }
    return output
  }

  private static func convolvedDown(_ input: [Float], _ width: Int, _ axis: Axis) -> [Float] {
    let (kernel, height) = (axis.kernel, axis.reduced)
    let reach = kernel.count - 1
    guard reach > 0 else { return input }
    var output = [Float](repeating: 0, count: input.count)
    for row in 0..<height {
      add(input, row * width, kernel[0], to: &output, row * width, width)
      for offset in 1...reach {
        let (above, below) = (max(row - offset, 0), min(row + offset, height - 1))
        add(input, above * width, kernel[offset], to: &output, row * width, width)
        add(input, below * width, kernel[offset], to: &output, row * width, width)
      }
    }
    return output
  }

  /// Adds a share of a part of one array to a part of another, eight at a time.
  private static func add(
    _ input: [Float], _ from: Int, _ share: Float, to output: inout [Float], _ to: Int,
    _ count: Int
  ) {
    unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        let vectors = count / 8
        for index in 0..<vectors {
          let place = (to + 8 * index) * 4
          let sum =
            unsafe output.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
            + input.loadUnaligned(fromByteOffset: (from + 8 * index) * 4, as: SIMD8<Float>.self)
            * share
          unsafe output.storeBytes(of: sum, toByteOffset: place, as: SIMD8<Float>.self)
        }
        for index in (8 * vectors)..<count {
          let sum =
            unsafe output.loadUnaligned(fromByteOffset: (to + index) * 4, as: Float.self)
            + input.loadUnaligned(fromByteOffset: (from + index) * 4, as: Float.self) * share
          unsafe output.storeBytes(of: sum, toByteOffset: (to + index) * 4, as: Float.self)
        }
      }
    }
  }
}
