internal import CPixelKernels

/// Red, green and blue of a block of pixels, each in a plane of its own.
///
/// The planes lie one after the other in one piece of memory, which belongs to the maker.
@safe struct ColourPlanes {
  let start: UnsafeMutablePointer<Float>
  /// How many times eight values a plane has.
  let groups: Int
  /// How many of the values are pixels.
  let pixels: Int

  /// Room for so many pixels; what is in it before the first step means nothing.
  @inline(__always)
  static func withRoom(for pixels: Int, _ body: (ColourPlanes) -> Void) {
    let groups = (pixels + 7) / 8
    unsafe withGroups(3 * groups) { start in
      unsafe body(ColourPlanes(start: start, groups: groups, pixels: pixels))
    }
  }

  /// Room for so many times eight values, as it must lie for them to be worked on together.
  @inline(__always)
  static func withGroups(_ groups: Int, _ body: (UnsafeMutablePointer<Float>) -> Void) {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: 32 * (groups + 1), alignment: MemoryLayout<SIMD4<Float>>.alignment
    ) { room in
      guard let start = room.baseAddress else { return }
      // What is asked for beyond 16 bytes is not always given.
      let aligned = unsafe start.alignedUp(toMultipleOf: 32)
      unsafe body(aligned.bindMemory(to: Float.self, capacity: 8 * groups))
    }
  }

  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { unsafe start + 8 * groups * channel }

  func read(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    unsafe block.withMemoryRebound(to: Float.self) { pixels in
      guard let pixels = pixels.baseAddress else { return }
      unsafe minilab_planes_read_pixels(start, groups, pixels, block.count)
    }
  }

  /// Alpha stays as it is.
  func write(_ block: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    unsafe block.withMemoryRebound(to: Float.self) { pixels in
      guard let pixels = pixels.baseAddress else { return }
      unsafe minilab_planes_write_pixels(start, groups, pixels, block.count)
    }
  }

  func multiply(_ matrix: FloatMatrix) {
    unsafe matrix.rows.withUnsafeBufferPointer { rows in
      guard let rows = rows.baseAddress else { return }
      unsafe minilab_planes_multiply(start, groups, rows)
    }
  }

  /// That share of what the function makes of the colours, and the rest of what was there before.
  func mix(_ share: Float, _ function: (ColourPlanes) -> Void) {
    Self.withRoom(for: pixels) { found in
      let count = 24 * groups
      unsafe found.start.update(from: start, count: count)
      function(found)
      for index in 0..<count {
        let before = unsafe start[index]
        unsafe start[index] = before + (found.start[index] - before) * share
      }
    }
  }
}

/// A function of a pixel's colour alone, on planes.
protocol PlanarFunction: PixelFunction {
  func apply(to planes: ColourPlanes)
}

extension PlanarFunction {
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace) {
    ColourPlanes.withRoom(for: block.count) { planes in
      unsafe planes.read(block)
      apply(to: planes)
      unsafe planes.write(block)
    }
  }
}
