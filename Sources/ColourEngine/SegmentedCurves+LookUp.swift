internal import CPixelKernels

extension SegmentedCurves {
  func apply(to planes: ColourPlanes) {
    if stride == 0 {
      unsafe apply(to: planes.start, groups: 3 * planes.groups, channel: 0)
    } else {
      for channel in 0..<3 {
        unsafe apply(to: planes.plane(channel), groups: planes.groups, channel: channel)
      }
    }
  }

  /// Applies one channel's curve to so many times eight values, which lie at a multiple of 32 bytes.
  func apply(to values: UnsafeMutablePointer<Float>, groups: Int, channel: Int) {
    var places = MinilabPieces(
      bits: fineness.rawValue, first: firstBits, lowest: -negativeCount, highest: positiveCount - 1)
    unsafe pieces.withUnsafeBufferPointer { all in
      guard let start = all.baseAddress else { return }
      let first = unsafe start + (channel * stride + Int(negativeCount))
      unsafe first.withMemoryRebound(to: Float.self, capacity: 2) { pieces in
        guard hasEnds(channel) else {
          unsafe minilab_values_look_up(values, groups, pieces, &places)
          return
        }
        var ends = SIMD4(
          self.first[channel], last[channel], before[channel], after[channel])
        unsafe withUnsafePointer(to: &ends) { ends in
          unsafe ends.withMemoryRebound(to: Float.self, capacity: 4) { ends in
            unsafe minilab_values_look_up_held(values, groups, pieces, &places, ends)
          }
        }
      }
    }
  }

  private func hasEnds(_ channel: Int) -> Bool {
    first[channel] > -.infinity || last[channel] < .infinity
  }
}
