import CImagingShim

/// Tiles and strips of any depth put together to interleaved samples.
struct TIFFAssembly {
  private let plan: TIFFPlan
  private let header: TIFFHeader
  private let isStrict: Bool

  private static let largestBlock = 1 << 30

  init(_ plan: TIFFPlan, _ header: TIFFHeader, isStrict: Bool) {
    self.plan = plan
    self.header = header
    self.isStrict = isStrict
  }

  func run(_ file: borrowing TIFFFile, into rows: SampleRows) throws(LibraryError) {
    if plan.colours == .converted { return try convert(file, into: rows) }
    guard header.block.width > 0, header.block.height > 0, header.blockBytes > 0,
      header.blockBytes <= Self.largestBlock
    else { throw LibraryError(text: "its tiles or strips have an impossible size") }
    var blocks = [[UInt8]](
      repeating: [UInt8](repeating: 0, count: header.blockBytes),
      count: header.isPlanar ? plan.usedSamples(of: header) : 1)
    let unpacker = TIFFUnpacker(header)
    for top in stride(from: 0, to: header.size.height, by: header.block.height) {
      for left in stride(from: 0, to: header.size.width, by: header.block.width) {
        for plane in blocks.indices {
          do throws(LibraryError) {
            try file.block(left: left, top: top, plane: plane, into: &blocks[plane])
          } catch {
            if isStrict { throw error }
            for index in blocks[plane].indices { blocks[plane][index] = 0 }
          }
        }
        write(blocks, left: left, top: top, unpacker, into: rows)
      }
    }
  }

  private func write(
    _ blocks: [[UInt8]], left: Int, top: Int, _ unpacker: TIFFUnpacker, into rows: SampleRows
  ) {
    let width = min(header.block.width, header.size.width - left)
    let height = min(header.block.height, header.size.height - top)
    let wanted = plan.usedSamples(of: header)
    var samples = [[Float]](repeating: [Float](repeating: 0, count: width), count: wanted)
    for y in 0..<height {
      for sample in 0..<wanted {
        let block = header.isPlanar ? sample : 0
        unpacker.read(
          blocks[block], row: y, sample: header.isPlanar ? 0 : sample,
          step: header.isPlanar ? 1 : header.samples, into: &samples[sample])
      }
      var values = colours(samples)
      if header.isPremultiplied && plan.bands == values.count, values.count > 1 {
        let opacity = values[values.count - 1]
        for band in values.indices.dropLast() {
          for x in 0..<width {
            values[band][x] = opacity[x] > 0 ? values[band][x] / opacity[x] : 0
          }
        }
      }
      for (band, line) in values.enumerated() {
        rows.write(
          line, row: top + y, first: left * plan.bands + band, step: plan.bands, as: plan.format)
      }
    }
  }

  /// Samples in 0…1 as stored to the bands of the plan.
  private func colours(_ samples: [[Float]]) -> [[Float]] {
    var values = samples
    switch plan.colours {
    case .grey(let isInverted):
      if isInverted { values[0] = values[0].map { 1 - $0 } }
    case .palette:
      let last = (1 << header.bits) - 1
      let indices = samples[0].map { Int(($0 * Float(last)).rounded()) }
      values = header.colourMap.map { map in indices.map { Float(map[$0]) / 65_535 } }
      values += samples.dropFirst()
    case .lab(let isOffset): values = lab(samples, isOffset: isOffset)
    case .rgb, .cmyk, .converted: break
    }
    return values
  }

  /// TIFF 6.0, section 23; with an offset as in ICC.1, where 16-bit L reaches 100 at 0xFF00.
  private func lab(_ samples: [[Float]], isOffset: Bool) -> [[Float]] {
    let top = Float(1 << header.bits - 1)
    let unit = Float(1 << (header.bits - 8))
    var values = samples
    let white = isOffset && header.bits > 8 ? 255 * unit / top : 1
    values[0] = samples[0].map { $0 / white * 100 }
    for band in 1...2 {
      values[band] = samples[band].map { sample in
        let number = (sample * top).rounded()
        let signed =
          isOffset ? number - 128 * unit : number >= 128 * unit ? number - 256 * unit : number
        return signed / unit
      }
    }
    return values
  }

  /// Through libtiff's own conversion, which gives premultiplied colours.
  private func convert(_ file: borrowing TIFFFile, into rows: SampleRows) throws(LibraryError) {
    let size = header.size
    let pixels = try file.rgba(pixels: size.pixels, isStrict: isStrict)
    for y in 0..<size.height {
      let row = pixels[(y * size.width)..<((y + 1) * size.width)]
      let alpha = row.map { Float($0 >> 24) / 255 }
      for band in 0..<3 {
        let line = zip(row, alpha).map { pixel, alpha in
          let value = Float(pixel >> (8 * band) & 0xFF) / 255
          return plan.bands == 4 ? (alpha > 0 ? value / alpha : 0) : value
        }
        rows.write(line, row: y, first: band, step: plan.bands, as: plan.format)
      }
      if plan.bands == 4 { rows.write(alpha, row: y, first: 3, step: 4, as: plan.format) }
    }
  }
}

/// Reads samples of any depth out of a decoded tile or strip.
struct TIFFUnpacker {
  private let bits: Int
  private let kind: TIFFHeader.Kind
  private let rowBytes: Int

  init(_ header: TIFFHeader) {
    bits = header.bits
    kind = header.kind ?? .unsigned
    rowBytes = header.rowBytes
  }

  /// Whole numbers in 0…1, where the most positive is 1; floating point numbers as they are.
  func read(_ block: [UInt8], row: Int, sample: Int, step: Int, into target: inout [Float]) {
    let start = row * rowBytes
    let end = min(block.count, start + rowBytes)
    for x in target.indices {
      let index = x * step + sample
      target[x] = value(block, start: start, end: end, bit: index * bits)
    }
  }

  private func value(_ block: [UInt8], start: Int, end: Int, bit: Int) -> Float {
    let first = start + bit / 8
    guard first + (bit % 8 + bits + 7) / 8 <= end else { return 0 }
    switch bits {
    case 8: return scaled(UInt32(block[first]))
    case 16, 24, 32, 64:
      // libtiff has put the bytes into this machine's order.
      var number: UInt64 = 0
      for index in 0..<(bits / 8) { number |= UInt64(block[first + index]) << (8 * index) }
      if kind == .float { return float(number) }
      return scaled(UInt32(truncatingIfNeeded: number))
    default:
      var number: UInt64 = 0
      for index in 0..<((bit % 8 + bits + 7) / 8) {
        number = number << 8 | UInt64(block[first + index])
      }
      let spare = (8 - (bit + bits) % 8) % 8
      return scaled(UInt32(truncatingIfNeeded: number >> UInt64(spare)) & mask)
    }
  }

  private var mask: UInt32 { bits >= 32 ? .max : 1 << UInt32(bits) - 1 }

  private func scaled(_ number: UInt32) -> Float {
    guard kind == .signed else { return Float(Double(number) / Double(mask)) }
    let isNegative = number & (1 << UInt32(bits - 1)) != 0
    return isNegative ? 0 : Float(Double(number) / Double(mask >> 1))
  }

  private func float(_ number: UInt64) -> Float {
    switch bits {
    case 16: Float(Float16(bitPattern: UInt16(truncatingIfNeeded: number)))
    case 24: Float(bitPattern: Self.widened(UInt32(truncatingIfNeeded: number)))
    case 32: Float(bitPattern: UInt32(truncatingIfNeeded: number))
    default: Float(Double(bitPattern: number))
    }
  }

  /// Adobe's 24 bits: one of sign, seven of exponent, sixteen of fraction.
  private static func widened(_ number: UInt32) -> UInt32 {
    let sign = (number >> 23) << 31
    let exponent = number >> 16 & 0x7F
    let fraction = (number & 0xFFFF) << 7
    if exponent == 0 { return sign }
    return sign | ((exponent == 127 ? 255 : exponent + 64) << 23) | fraction
  }
}
