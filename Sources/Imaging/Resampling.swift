/// One resampling of working-space floats, down first and then across, strip by strip.
struct Resampling: WindowFilter {
  private let across: ResamplingAxis
  private let down: ResamplingAxis

  init(across: ResamplingAxis, down: ResamplingAxis) {
    self.across = across
    self.down = down
  }

  /// What a strip of the input may take in memory.
  private static let stripBytes = 64 << 20
  /// Output rows that are asked for at a time, and those that the kernel reaches beyond them.
  private static let stripRows = 22

  /// Whole numbers to average by first, so that enormous reductions stay flat in memory; 1 mostly.
  ///
  /// At least a reduction by two is left for the kernel, which then still decides what is seen.
  static func areaFactors(from input: PixelSize, to output: PixelSize, bands: Int) -> PixelSize {
    let down = input.height / output.height
    let bytes = stripRows * (down + 1) * input.width * bands * 4
    if bytes <= stripBytes { return PixelSize(width: 1, height: 1) }
    return PixelSize(width: max(1, input.width / output.width / 2), height: max(1, down / 2))
  }

  func need(_ rect: PixelRect) -> PixelRect {
    let columns = across.need(rect.left..<rect.right)
    let rows = down.need(rect.top..<rect.bottom)
    return PixelRect(
      left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
  }

  func fill(_ output: FloatWindow, from input: FloatWindow) {
    let samples = input.rect.width * input.bands
    // Room for whole blocks and for reading four samples where three are a pixel.
    let capacity = (samples + 15) / 16 * 16 + 4
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { line in
      guard let base = line.baseAddress else { return }
      unsafe line.initialize(repeating: 0)
      for y in output.rect.top..<output.rect.bottom {
        unsafe reduceDown(y, input, into: base, samples: samples)
        unsafe reduceAcross(y, base, left: input.rect.left, output)
      }
    }
  }

  /// The weighted sum of the input rows of one output row.
  private func reduceDown(
    _ y: Int, _ input: FloatWindow, into line: UnsafeMutablePointer<Float>, samples: Int
  ) {
    let start = Int(down.starts[y])
    let taps = down.taps
    let first = unsafe UnsafeRawPointer(input.row(input.rect.left, start))
    let stride = input.stride
    unsafe down.weights.withUnsafeBufferPointer { weights in
      guard let table = weights.baseAddress else { return }
      let weights = unsafe table + y * taps
      var x = 0
      while x + 16 <= samples {
        var a = SIMD4<Float>()
        var b = SIMD4<Float>()
        var c = SIMD4<Float>()
        var d = SIMD4<Float>()
        var row = unsafe first + x * 4
        for tap in 0..<taps {
          let weight = unsafe weights[tap]
          unsafe a += weight * row.loadUnaligned(as: SIMD4<Float>.self)
          unsafe b += weight * row.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
          unsafe c += weight * row.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self)
          unsafe d += weight * row.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self)
          unsafe row += stride
        }
        let target = unsafe UnsafeMutableRawPointer(line + x)
        unsafe target.storeBytes(of: a, as: SIMD4<Float>.self)
        unsafe target.storeBytes(of: b, toByteOffset: 16, as: SIMD4<Float>.self)
        unsafe target.storeBytes(of: c, toByteOffset: 32, as: SIMD4<Float>.self)
        unsafe target.storeBytes(of: d, toByteOffset: 48, as: SIMD4<Float>.self)
        x += 16
      }
      while x < samples {
        var sum: Float = 0
        for tap in 0..<taps {
          unsafe sum += weights[tap] * (first + tap * stride + x * 4).load(as: Float.self)
        }
        unsafe line[x] = sum
        x += 1
      }
    }
  }

  /// The weighted sums of one line for the pixels of one output row.
  private func reduceAcross(
    _ y: Int, _ line: UnsafeMutablePointer<Float>, left: Int, _ output: FloatWindow
  ) {
    let taps = across.taps
    let bands = output.bands
    let target = unsafe output.row(output.rect.left, y)
    unsafe across.weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      for x in 0..<output.rect.width {
        let column = output.rect.left + x
        let first = Int(across.starts[column]) - left
        let source = unsafe UnsafeRawPointer(line + first * bands)
        let own = unsafe weights + column * taps
        var even = SIMD4<Float>()
        var odd = SIMD4<Float>()
        var tap = 0
        while tap + 2 <= taps {
          unsafe even +=
            own[tap]
            * source.loadUnaligned(fromByteOffset: tap * bands * 4, as: SIMD4<Float>.self)
          unsafe odd +=
            own[tap + 1]
            * source.loadUnaligned(fromByteOffset: (tap + 1) * bands * 4, as: SIMD4<Float>.self)
          tap += 2
        }
        if tap < taps {
          unsafe even +=
            own[tap]
            * source.loadUnaligned(fromByteOffset: tap * bands * 4, as: SIMD4<Float>.self)
        }
        let sum = even + odd
        for band in 0..<bands { unsafe target[x * bands + band] = sum[band] }
      }
    }
  }
}

extension PipelineImage {
  /// One resampling of working-space floats with premultiplied alpha.
  func resampled(to size: PixelSize) throws(LibraryError) -> PipelineImage {
    let before = self.size
    if before == size { return try copy() }
    let factors = Resampling.areaFactors(from: before, to: size, bands: bands)
    let shrunk = factors.width > 1 || factors.height > 1 ? try shrunk(by: factors) : try copy()
    let across = ResamplingAxis(
      input: shrunk.size.width, length: Double(before.width) / Double(factors.width),
      output: size.width)
    let down = ResamplingAxis(
      input: shrunk.size.height, length: Double(before.height) / Double(factors.height),
      output: size.height)
    return try shrunk.filtered(
      by: Resampling(across: across, down: down), to: size, tiles: false)
  }
}
