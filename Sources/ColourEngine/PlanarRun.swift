/// Matrices and curves one after the other, on planes of one channel each: four values are looked up
/// with the work of one.
///
/// The results are those of the stages one by one, to the last bit.
struct PlanarRun: Sendable {
  enum Step: Sendable {
    case matrix(FloatMatrix)
    case curves(SegmentedCurves)
  }

  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// Alpha stays as it is.
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    let quads = (block.count + 3) / 4
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 3 * quads) { room in
      guard let start = room.baseAddress else { return }
      let planes = unsafe Planes(
        red: start, green: start + quads, blue: start + 2 * quads, count: quads)
      unsafe planes.read(block)
      for step in steps {
        switch step {
        case .matrix(let matrix): planes.apply(matrix)
        case .curves(let curves): planes.apply(curves)
        }
      }
      unsafe planes.write(block)
    }
  }
}

/// The channels of a block, four values a piece.
@safe
private struct Planes {
  let red: UnsafeMutablePointer<SIMD4<Float>>
  let green: UnsafeMutablePointer<SIMD4<Float>>
  let blue: UnsafeMutablePointer<SIMD4<Float>>
  let count: Int

  /// What is missing to whole pieces is black.
  func read(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    let whole = block.count / 4
    for quad in 0..<whole {
      let (r, g, b, _) = unsafe SIMD4.transpose(
        block[4 * quad], block[4 * quad + 1], block[4 * quad + 2], block[4 * quad + 3])
      unsafe (red + quad).initialize(to: r)
      unsafe (green + quad).initialize(to: g)
      unsafe (blue + quad).initialize(to: b)
    }
    guard whole < count else { return }
    var (r, g, b) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    for lane in 0..<(block.count - 4 * whole) {
      let pixel = unsafe block[4 * whole + lane]
      r[lane] = pixel.x
      g[lane] = pixel.y
      b[lane] = pixel.z
    }
    unsafe (red + whole).initialize(to: r)
    unsafe (green + whole).initialize(to: g)
    unsafe (blue + whole).initialize(to: b)
  }

  func write(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    let whole = block.count / 4
    for quad in 0..<whole {
      let alpha = unsafe SIMD4(
        block[4 * quad].w, block[4 * quad + 1].w, block[4 * quad + 2].w, block[4 * quad + 3].w)
      let (first, second, third, fourth) = unsafe SIMD4.transpose(
        red[quad], green[quad], blue[quad], alpha)
      unsafe block[4 * quad] = first
      unsafe block[4 * quad + 1] = second
      unsafe block[4 * quad + 2] = third
      unsafe block[4 * quad + 3] = fourth
    }
    for lane in 0..<(block.count - 4 * whole) {
      let position = 4 * whole + lane
      unsafe block[position].x = red[whole][lane]
      unsafe block[position].y = green[whole][lane]
      unsafe block[position].z = blue[whole][lane]
    }
  }

  func apply(_ matrix: FloatMatrix) {
    let (first, second, third) = (matrix.red, matrix.green, matrix.blue)
    for quad in 0..<count {
      let (r, g, b) = unsafe (red[quad], green[quad], blue[quad])
      unsafe red[quad] = r * first.x + g * second.x + b * third.x
      unsafe green[quad] = r * first.y + g * second.y + b * third.y
      unsafe blue[quad] = r * first.z + g * second.z + b * third.z
    }
  }

  func apply(_ curves: SegmentedCurves) {
    for channel in 0..<3 {
      let plane = unsafe channel == 0 ? red : channel == 1 ? green : blue
      unsafe curves.apply(
        to: UnsafeMutableBufferPointer(start: plane, count: count), channel: channel)
    }
  }
}
