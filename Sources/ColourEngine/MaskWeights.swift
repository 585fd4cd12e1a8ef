package import RenderModel

/// A mask made ready for whole rows, for filters that are not part of a pass.
///
/// Safe to use on several threads at the same time.
package final class MaskWeights: Sendable {
  private static let blockSize = 128

  private let mask: any MaskFunction

  /// nil when the mask cannot be made: an unknown kind, a missing parameter or file.
  package init?(_ mask: FilterMask, _ placed: PlacedStep, _ resources: FilterResources) {
    guard let made = CompiledMask.make(mask, placed, resources) else { return nil }
    self.mask = made
  }

  /// Writes a weight from 0 to 1 for each pixel.
  ///
  /// `pixels`: what was there before the filter, in linear working RGB; with four bands
  /// premultiplied, the last one alpha. They lie side by side in one row, the first at `place`.
  package func write(
    _ pixels: UnsafePointer<Float>, bands: Int, count: Int, at place: PixelPlace,
    into weights: UnsafeMutablePointer<Float>
  ) {
    unsafe withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: Self.blockSize) {
      scratch in
      var done = 0
      while done < count {
        let length = min(Self.blockSize, count - done)
        let block = unsafe UnsafeMutableBufferPointer(rebasing: scratch[..<length])
        for index in 0..<length {
          unsafe block[index] = unsafe Self.straight(pixels + (done + index) * bands, bands)
        }
        unsafe mask.weigh(
          block, at: PixelPlace(column: place.column + done, row: place.row),
          into: UnsafeMutableBufferPointer(start: weights + done, count: length))
        done += length
      }
    }
  }

  @inline(__always)
  private static func straight(_ pixel: UnsafePointer<Float>, _ bands: Int) -> SIMD4<Float> {
    guard bands >= 3 else { return unsafe SIMD4(pixel[0], pixel[0], pixel[0], 1) }
    let colour = unsafe SIMD4(pixel[0], pixel[1], pixel[2], 1)
    guard bands > 3 else { return colour }
    let alpha = unsafe min(pixel[3], 1)
    guard alpha > 0 else { return SIMD4(0, 0, 0, 0) }
    var result = colour / alpha
    result.w = alpha
    return result
  }
}
