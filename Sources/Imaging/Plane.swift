/// One channel of a part of a picture.
struct Plane: Sendable {
  let width: Int
  let height: Int
  private var samples: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [Float](repeating: 0, count: width * height)
  }

  subscript(x: Int, y: Int) -> Float {
    get { samples[y * width + x] }
    set { samples[y * width + x] = newValue }
  }

  /// Blurred across and down by a symmetric kernel given from its middle outwards; smaller by its
  /// reach on every side.
  func blurred(_ weights: [Float]) -> Plane {
    let reach = weights.count - 1
    var across = Plane(width: width - 2 * reach, height: height)
    for y in 0..<height {
      across.addRow(y, from: self, row: y, offset: reach, weight: weights[0])
      for step in 1...reach {
        across.addRow(y, from: self, row: y, offset: reach - step, weight: weights[step])
        across.addRow(y, from: self, row: y, offset: reach + step, weight: weights[step])
      }
    }
    var result = Plane(width: across.width, height: height - 2 * reach)
    for y in 0..<result.height {
      result.addRow(y, from: across, row: y + reach, offset: 0, weight: weights[0])
      for step in 1...reach {
        result.addRow(y, from: across, row: y + reach - step, offset: 0, weight: weights[step])
        result.addRow(y, from: across, row: y + reach + step, offset: 0, weight: weights[step])
      }
    }
    return result
  }

  private mutating func addRow(
    _ row: Int, from other: Plane, row otherRow: Int, offset: Int, weight: Float
  ) {
    let start = row * width
    let otherStart = otherRow * other.width + offset
    precondition(start + width <= samples.count && otherStart + width <= other.samples.count)
    unsafe samples.withUnsafeMutableBufferPointer { mine in
      unsafe other.samples.withUnsafeBufferPointer { theirs in
        for index in 0..<width {
          unsafe mine[start + index] += weight * theirs[otherStart + index]
        }
      }
    }
  }
}
