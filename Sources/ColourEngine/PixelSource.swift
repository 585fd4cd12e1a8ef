internal import CPixelKernels

/// How a block of pixels is read.
enum PixelSource: Sendable {
  /// 8 bits, with the first curves and the first matrix folded into one table a band.
  case tables(ByteTables)
  /// Samples as they are, scaled to 0…1.
  case samples(PixelLayout)

  func read(
    _ input: UnsafeRawPointer, into block: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    switch self {
    case .tables(let tables): unsafe tables.read(input, into: block)
    case .samples(let layout):
      switch layout.sample {
      case .uint8: unsafe Self.read(UInt8.self, 1 / 255, layout.bands, input, block)
      case .uint16: unsafe Self.read(UInt16.self, 1 / 65_535, layout.bands, input, block)
      case .float32: unsafe Self.read(Float.self, 1, layout.bands, input, block)
      }
    }
  }

  private static func read<Sample: PixelSample & SIMDScalar>(
    _ type: Sample.Type, _ scale: Float, _ bands: Int, _ input: UnsafeRawPointer,
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    let size = MemoryLayout<Sample>.size
    var place = unsafe input
    switch bands {
    case 1, 2:
      for index in block.indices {
        let grey = unsafe place.loadUnaligned(as: Sample.self).float
        let alpha =
          unsafe bands == 2
          ? place.loadUnaligned(fromByteOffset: size, as: Sample.self).float : 1 / scale
        unsafe block[index] = SIMD4(grey, grey, grey, alpha) * scale
        unsafe place += bands * size
      }
    case 3:
      for index in block.indices {
        let red = unsafe place.loadUnaligned(as: Sample.self).float
        let green = unsafe place.loadUnaligned(fromByteOffset: size, as: Sample.self).float
        let blue = unsafe place.loadUnaligned(fromByteOffset: 2 * size, as: Sample.self).float
        unsafe block[index] = SIMD4(red, green, blue, 1 / scale) * scale
        unsafe place += 3 * size
      }
    default:
      for index in block.indices {
        let pixel = unsafe place.loadUnaligned(as: SIMD4<Sample>.self)
        unsafe block[index] =
          SIMD4(pixel.x.float, pixel.y.float, pixel.z.float, pixel.w.float) * scale
        unsafe place += 4 * size
      }
    }
  }
}

/// A number that a band of a picture can have.
protocol PixelSample: BitwiseCopyable {
  var float: Float { get }
}

extension UInt8: PixelSample { var float: Float { Float(self) } }
extension UInt16: PixelSample { var float: Float { Float(self) } }
extension Float: PixelSample { var float: Float { self } }

/// 256 matrix columns a band: the light of each code, already spread over the result's channels.
struct ByteTables: Sendable {
  /// Red, green, blue, or only grey; 256 entries each.
  private let columns: [SIMD4<Float>]
  let bands: Int

  init(bands: Int, curves: [CurveChain], matrix: Matrix3) {
    self.bands = bands
    var columns: [SIMD4<Float>] = []
    let isGrey = bands <= 2
    for channel in 0..<(isGrey ? 1 : 3) {
      let chain = curves.isEmpty ? CurveChain() : curves[curves.count == 1 ? 0 : channel]
      let column = isGrey ? matrix.apply([1, 1, 1]) : matrix.column(channel)
      for code in 0..<256 {
        let light = chain.value(Double(code) / 255)
        // One table brings the opaque alpha along.
        columns.append(SIMD4(SIMD3<Float>(column * light), channel == 0 ? 1 : 0))
      }
    }
    self.columns = columns
  }

  func read(
    _ input: UnsafeRawPointer, into block: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    let bytes = unsafe input.assumingMemoryBound(to: UInt8.self)
    unsafe columns.withUnsafeBufferPointer { columns in
      guard let red = columns.baseAddress else { return }
      switch bands {
      case 1:
        for index in block.indices { unsafe block[index] = red[Int(bytes[index])] }
      case 2:
        for index in block.indices {
          var value = unsafe red[Int(bytes[2 * index])]
          value.w = unsafe Float(bytes[2 * index + 1]) / 255
          unsafe block[index] = value
        }
      case 3:
        let (green, blue) = unsafe (red + 256, red + 512)
        for index in block.indices {
          let pixel = unsafe bytes + 3 * index
          unsafe block[index] =
            red[Int(pixel[0])] + green[Int(pixel[1])] + blue[Int(pixel[2])]
        }
      default:
        let (green, blue) = unsafe (red + 256, red + 512)
        for index in block.indices {
          let pixel = unsafe bytes + 4 * index
          var value = unsafe red[Int(pixel[0])] + green[Int(pixel[1])] + blue[Int(pixel[2])]
          value.w = unsafe Float(pixel[3]) / 255
          unsafe block[index] = value
        }
      }
    }
  }

  /// Pixels of three bands.
  func read(_ input: UnsafeRawPointer, into planes: ColourPlanes, pixels: Int) {
    unsafe columns.withUnsafeBufferPointer { columns in
      unsafe columns.withMemoryRebound(to: Float.self) { columns in
        guard let columns = columns.baseAddress else { return }
        unsafe minilab_planes_read_bytes(
          planes.start, planes.groups, input.assumingMemoryBound(to: UInt8.self), pixels, columns)
      }
    }
  }
}
