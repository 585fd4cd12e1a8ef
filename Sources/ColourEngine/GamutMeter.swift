internal import CPixelKernels
import Synchronization

/// Counts the pixels that go by and those of them whose colour the target's space does not hold.
///
/// Safe to use on several threads.
package final class GamutMeter: Sendable {
  private let seen = Atomic<Int>(0)
  private let outside = Atomic<Int>(0)

  package init() {}

  /// 0…1; 0 before any pixel was seen.
  package var share: Double {
    let seen = seen.load(ordering: .relaxed)
    return seen > 0 ? Double(outside.load(ordering: .relaxed)) / Double(seen) : 0
  }

  func add(_ count: Int, outside lost: Int) {
    seen.wrappingAdd(count, ordering: .relaxed)
    if lost > 0 { outside.wrappingAdd(lost, ordering: .relaxed) }
  }
}

/// What still counts as inside: about one and a half codes of 8 bits below black and above white, since
/// less is rounding.
private enum GamutBounds {
  static let low: Float = -5e-4
  static let high: Float = 1.015
}

/// Shows a meter the linear RGB of an opaque picture before it is clipped, and leaves it as it is.
struct PlanarGamutProbe: PlanarFunction {
  let meter: GamutMeter

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds { bounds }

  func apply(to planes: ColourPlanes) {
    let lost = unsafe minilab_planes_count_outside(
      planes.start, planes.groups, planes.pixels, GamutBounds.low, GamutBounds.high)
    meter.add(planes.pixels, outside: lost)
  }
}

/// The same for a picture with alpha, of which what is not seen does not count.
struct GamutProbe: PixelFunction {
  private static let low = SIMD4(SIMD3(repeating: GamutBounds.low), -.infinity)
  private static let high = SIMD4(SIMD3(repeating: GamutBounds.high), .infinity)

  let meter: GamutMeter

  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds { bounds }

  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    // Most blocks hold nothing that is outside; that is found without a branch for each pixel.
    var isOutside = SIMDMask<SIMD4<Int32>>(repeating: false)
    for index in block.indices {
      let pixel = unsafe block[index]
      isOutside = isOutside .| (pixel .< Self.low)
      isOutside = isOutside .| (pixel .> Self.high)
    }
    guard any(isOutside) else {
      meter.add(block.count, outside: 0)
      return
    }
    var lost = 0
    for index in block.indices {
      let pixel = unsafe block[index]
      // What is not seen is not lost.
      if pixel.w > 0, any((pixel .< Self.low) .| (pixel .> Self.high)) { lost += 1 }
    }
    meter.add(block.count, outside: lost)
  }
}
