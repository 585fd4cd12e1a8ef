/// Matrices, curves and functions of colour one after the other, on planes of one channel each: eight
/// values are worked on at a time.
struct PlanarRun: Sendable {
  enum Step: Sendable {
    case matrix(FloatMatrix)
    case curves(SegmentedCurves)
    case function(any PlanarFunction)
  }

  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  func apply(to planes: ColourPlanes) {
    for step in steps {
      switch step {
      case .matrix(let matrix): planes.multiply(matrix)
      case .curves(let curves): curves.apply(to: planes)
      case .function(let function): function.apply(to: planes)
      }
    }
  }

  /// Alpha stays as it is.
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    ColourPlanes.withRoom(for: block.count) { planes in
      unsafe planes.read(block)
      apply(to: planes)
      unsafe planes.write(block)
    }
  }
}
