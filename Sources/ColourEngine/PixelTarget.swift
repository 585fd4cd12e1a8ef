/// How a block of pixels is written.
struct PixelTarget: Sendable {
  private let sample: PixelLayout.Sample
  private let bands: Int
  /// The lane of each band.
  private let lanes: SIMD4<Int>

  init(_ layout: PixelLayout) {
    sample = layout.sample
    bands = layout.bands
    lanes = layout.bands == 2 ? [0, 3, 0, 0] : [0, 1, 2, 3]
  }

  func write(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, to output: UnsafeMutableRawPointer
  ) {
    switch sample {
    case .uint8:
      let bytes = unsafe output.assumingMemoryBound(to: UInt8.self)
      if bands == 3 { return unsafe writeColourBytes(block, to: bytes) }
      for index in block.indices {
        let codes = unsafe Self.codes(block[index], scale: 255)
        for band in 0..<bands {
          unsafe bytes[index * bands + band] = UInt8(truncatingIfNeeded: codes[lanes[band]])
        }
      }
    case .uint16:
      for index in block.indices {
        let codes = unsafe Self.codes(block[index], scale: 65_535)
        for band in 0..<bands {
          unsafe output.storeBytes(
            of: UInt16(truncatingIfNeeded: codes[lanes[band]]),
            toByteOffset: (index * bands + band) * 2, as: UInt16.self)
        }
      }
    case .float32:
      for index in block.indices {
        let pixel = unsafe block[index]
        for band in 0..<bands {
          unsafe output.storeBytes(
            of: pixel[lanes[band]], toByteOffset: (index * bands + band) * 4, as: Float.self)
        }
      }
    }
  }

  private func writeColourBytes(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, to bytes: UnsafeMutablePointer<UInt8>
  ) {
    for index in block.indices {
      let codes = unsafe Self.codes(block[index], scale: 255)
      // Lanes come out cheapest in pairs.
      let pairs = unsafe unsafeBitCast(codes, to: SIMD2<UInt64>.self)
      let pixel = unsafe bytes + 3 * index
      unsafe pixel[0] = UInt8(truncatingIfNeeded: pairs[0])
      unsafe pixel[1] = UInt8(truncatingIfNeeded: pairs[0] >> 32)
      unsafe pixel[2] = UInt8(truncatingIfNeeded: pairs[1])
    }
  }

  /// Clips to 0…1 and rounds to the nearest code.
  @inline(__always)
  private static func codes(_ pixel: SIMD4<Float>, scale: Float) -> SIMD4<UInt32> {
    var value = pixel
    value.replace(with: 0, where: value .< 0)
    value.replace(with: 1, where: value .> 1)
    // At 2²³ a float's last bit counts ones, so the sum is rounded to a whole number.
    return unsafe unsafeBitCast(value * scale + 8_388_608, to: SIMD4<UInt32>.self)
  }
}
