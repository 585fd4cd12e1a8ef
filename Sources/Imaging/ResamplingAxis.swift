import Glibc

/// Which input pixels one axis of a resampling takes for each output pixel, and how much of each.
///
/// Downwards Lanczos with three lobes, as wide as the reduction so that nothing aliases; upwards
/// Catmull-Rom. Outer edges of input and output coincide; beyond the edge the edge goes on.
struct ResamplingAxis: Hashable, Sendable {
  let output: Int
  /// The first input pixel of each output pixel.
  private(set) var starts: [Int32] = []
  /// `taps` of them for each output pixel, which weigh 1 together.
  private(set) var weights: [Float] = []
  let taps: Int

  /// `length` is how much of the input the output covers, in input pixels; its last one may be covered
  /// in part.
  init(input: Int, length: Double, output: Int) {
    self.output = output
    let scale = length / Double(output)
    let stretch = max(1, scale)
    let support = (scale > 1 ? 3 : 2) * stretch
    taps = min(input, Int((2 * support).rounded(.up)) + 1)
    starts.reserveCapacity(output)
    weights.reserveCapacity(output * taps)
    for index in 0..<output {
      let centre = (Double(index) + 0.5) * scale - 0.5
      let first = Int((centre - support).rounded(.up))
      let last = Int((centre + support).rounded(.down))
      let start = min(max(first, 0), input - taps)
      var row = [Double](repeating: 0, count: taps)
      for position in first...max(first, last) {
        let distance = (Double(position) - centre) / stretch
        let weight = scale > 1 ? Self.lanczos(distance) : Self.catmullRom(distance)
        row[min(max(position, 0), input - 1) - start] += weight
      }
      let sum = row.reduce(0, +)
      starts.append(Int32(start))
      weights += row.map { Float($0 / sum) }
    }
  }

  /// The input pixels that a range of output pixels takes.
  func need(_ range: Range<Int>) -> Range<Int> {
    Int(starts[range.lowerBound])..<(Int(starts[range.upperBound - 1]) + taps)
  }

  private static func lanczos(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= 3 { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }

  private static func catmullRom(_ x: Double) -> Double {
    let t = abs(x)
    if t < 1 { return 1.5 * t * t * t - 2.5 * t * t + 1 }
    if t < 2 { return -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 }
    return 0
  }
}
