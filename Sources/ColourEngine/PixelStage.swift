/// One turn over a block of pixels that lie as red, green, blue, alpha in floats.
enum PixelStage: Sendable {
  case planar(PlanarRun)
  case matrix(FloatMatrix)
  /// Lays the picture over an even ground of that linear grey; alpha becomes 1.
  case flatten(Float)
  case unpremultiply
  case premultiply
  case function(any PixelFunction)
  case blend(BlendStage)

  /// `place`: that of the first pixel; the others follow to the right.
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    switch self {
    case .planar(let run): unsafe run.apply(to: block)
    case .function(let function): unsafe function.apply(to: block, at: place)
    case .blend(let blend): unsafe blend.apply(to: block, at: place)
    case .matrix(let matrix):
      for index in block.indices { unsafe block[index] = matrix.apply(block[index]) }
    case .flatten(let grey):
      for index in block.indices {
        let pixel = unsafe block[index]
        var result = pixel * pixel.w + SIMD4(repeating: grey * (1 - pixel.w))
        result.w = 1
        unsafe block[index] = result
      }
    case .unpremultiply:
      for index in block.indices {
        let pixel = unsafe block[index]
        // Also what resampling has pushed out of range: no light without cover, none above full.
        let alpha = pixel.w > 0 ? min(pixel.w, 1) : 0
        var result = alpha > 0 ? pixel / alpha : SIMD4()
        result.w = alpha
        unsafe block[index] = result
      }
    case .premultiply:
      for index in block.indices {
        let pixel = unsafe block[index]
        var result = pixel * pixel.w
        result.w = pixel.w
        unsafe block[index] = result
      }
    }
  }
}

/// Stages whose result is mixed with what was there before.
struct BlendStage: Sendable {
  var opacity: Float
  var mask: (any MaskFunction)?
  var stages: [PixelStage]

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: block.count) { copy in
      _ = unsafe copy.initialize(fromContentsOf: block)
      for stage in stages { unsafe stage.apply(to: copy, at: place) }
      guard let mask else {
        for index in block.indices {
          let before = unsafe block[index]
          unsafe block[index] = before + (copy[index] - before) * opacity
        }
        return
      }
      unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: block.count) { weights in
        unsafe mask.weigh(block, at: place, into: weights)
        for index in block.indices {
          let before = unsafe block[index]
          unsafe block[index] = before + (copy[index] - before) * (opacity * weights[index])
        }
      }
    }
  }
}

/// A matrix as columns in floats; the fourth lane passes through.
struct FloatMatrix: Sendable {
  let red: SIMD4<Float>
  let green: SIMD4<Float>
  let blue: SIMD4<Float>
  private let alpha: SIMD4<Float> = [0, 0, 0, 1]
  /// The same nine numbers row after row.
  let rows: [Float]

  init(_ matrix: Matrix3) {
    red = SIMD4(SIMD3<Float>(matrix.column(0)), 0)
    green = SIMD4(SIMD3<Float>(matrix.column(1)), 0)
    blue = SIMD4(SIMD3<Float>(matrix.column(2)), 0)
    rows = [matrix.rows.first, matrix.rows.second, matrix.rows.third].flatMap { row in
      [Float(row.x), Float(row.y), Float(row.z)]
    }
  }

  @inline(__always)
  func apply(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    red * pixel.x + green * pixel.y + (blue * pixel.z + alpha * pixel.w)
  }
}
