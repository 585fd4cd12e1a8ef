/// How a block of pixels is written.
struct PixelTarget: Sendable {
  private let sample: PixelLayout.Sample
  private let bands: Int

  init(_ layout: PixelLayout) {
    sample = layout.sample
    bands = layout.bands
  }

  func write(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, to output: UnsafeMutableRawPointer
  ) {
    switch sample {
    case .uint8:
      unsafe write(block, to: output) { pixel in
        let (low, high) = Self.codes(pixel, scale: 255)
        return SIMD4(
          UInt8(truncatingIfNeeded: low), UInt8(truncatingIfNeeded: low >> 32),
          UInt8(truncatingIfNeeded: high), UInt8(truncatingIfNeeded: high >> 32))
      }
    case .uint16:
      unsafe write(block, to: output) { pixel in
        let (low, high) = Self.codes(pixel, scale: 65_535)
        return SIMD4(
          UInt16(truncatingIfNeeded: low), UInt16(truncatingIfNeeded: low >> 32),
          UInt16(truncatingIfNeeded: high), UInt16(truncatingIfNeeded: high >> 32))
      }
    case .float32: unsafe write(block, to: output) { $0 }
    }
  }

  /// One loop for each number of bands, so that none is counted inside.
  @inline(__always)
  private func write<Lane: BitwiseCopyable & SIMDScalar>(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, to output: UnsafeMutableRawPointer,
    _ convert: (SIMD4<Float>) -> SIMD4<Lane>
  ) {
    let size = MemoryLayout<Lane>.size
    var place = unsafe output
    switch bands {
    case 1:
      for index in block.indices {
        unsafe place.storeBytes(of: convert(block[index]).x, as: Lane.self)
        unsafe place += size
      }
    case 2:
      for index in block.indices {
        let pixel = unsafe convert(block[index])
        unsafe place.storeBytes(of: pixel.x, as: Lane.self)
        unsafe place.storeBytes(of: pixel.w, toByteOffset: size, as: Lane.self)
        unsafe place += 2 * size
      }
    case 3:
      for index in block.indices {
        let pixel = unsafe convert(block[index])
        unsafe place.storeBytes(of: pixel.x, as: Lane.self)
        unsafe place.storeBytes(of: pixel.y, toByteOffset: size, as: Lane.self)
        unsafe place.storeBytes(of: pixel.z, toByteOffset: 2 * size, as: Lane.self)
        unsafe place += 3 * size
      }
    default:
      for index in block.indices {
        unsafe place.storeBytes(of: convert(block[index]), as: SIMD4<Lane>.self)
        unsafe place += 4 * size
      }
    }
  }

  /// Clips to 0…1 and rounds to the nearest code; two codes a word, since lanes come out cheapest so.
  @inline(__always)
  private static func codes(_ pixel: SIMD4<Float>, scale: Float) -> (UInt64, UInt64) {
    // Floats from 0 up are ordered as their bits; the compiler turns comparisons of floats into
    // branches here. NaN becomes 0 or 1.
    let one: Int32 = 0x3F80_0000
    var bits = unsafe unsafeBitCast(pixel, to: SIMD4<Int32>.self)
    bits.replace(with: 0, where: bits .< 0)
    bits.replace(with: one, where: bits .> one)
    let value = unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    // At 2²³ a float's last bit counts ones, so the sum is rounded to a whole number.
    let pairs = unsafe unsafeBitCast(value * scale + 8_388_608, to: SIMD2<UInt64>.self)
    return (pairs[0], pairs[1])
  }
}
