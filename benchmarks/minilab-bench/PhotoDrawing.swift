/// A drawn scene with the statistics of a photo: large shapes, texture of every size, sensor noise.
///
/// The same seed and size give the same samples on every machine: all arithmetic is on integers.
struct PhotoDrawing {
  let width: Int
  let height: Int
  private var random: SplitMix
  /// A lattice of random values; textures of all sizes are read out of it.
  private let lattice: [Int32]

  private static let latticeSide = 256

  /// Sides of four to three.
  init(seed: Int, pixels: Int) {
    var part = 1
    while 12 * (part + 1) * (part + 1) <= pixels { part += 1 }
    self.init(seed: seed, width: 4 * part, height: 3 * part)
  }

  init(seed: Int, width: Int, height: Int) {
    self.width = width
    self.height = height
    var random = SplitMix(state: UInt64(seed) &* 0x9E37_79B9 &+ 1)
    lattice = (0..<Self.latticeSide * Self.latticeSide).map { _ in
      Int32(random.next() & 0xFF) - 128
    }
    self.random = random
  }

  /// Samples of one row: red, green, blue, 8 bits each.
  mutating func row(_ y: Int, into samples: inout [UInt8]) {
    let sky = Int32(y * 160 / height)
    let octaves: [(shift: Int, weight: Int32)] = [(9, 96), (7, 56), (5, 30), (3, 15), (1, 7)]
    var values = [Int32](repeating: 0, count: width)
    for (index, octave) in octaves.enumerated() {
      addTexture(octave.shift, octave.weight, y + 7919 * index, to: &values)
    }
    for x in 0..<width {
      // One draw gives the noise of all three samples.
      let bits = random.next()
      let light = 70 + values[x] + (values[x] > 20 ? 130 - sky : sky / 4)
      let tint = (values[x] >> 2) + Int32(x * 24 / width)
      samples[3 * x] = Self.sample(light + tint / 2, bits)
      samples[3 * x + 1] = Self.sample(light, bits >> 16)
      samples[3 * x + 2] = Self.sample(light - tint, bits >> 32)
    }
  }

  /// Adds the lattice, stretched to squares of 2^shift pixels with straight lines between its points.
  private func addTexture(_ shift: Int, _ weight: Int32, _ y: Int, to values: inout [Int32]) {
    let mask = Self.latticeSide - 1
    let size = 1 << shift
    let down = Int32(y & (size - 1))
    let upper = ((y >> shift) & mask) * Self.latticeSide
    let lower = (((y >> shift) + 1) & mask) * Self.latticeSide
    for left in stride(from: 0, to: width, by: size) {
      let (column, next) = ((left >> shift) & mask, ((left >> shift) + 1) & mask)
      let first = mix(lattice[upper + column], lattice[lower + column], down, shift) * weight
      let last = mix(lattice[upper + next], lattice[lower + next], down, shift) * weight
      for x in left..<min(left + size, width) {
        values[x] += mix(first, last, Int32(x - left), shift) >> 7
      }
    }
  }

  private func mix(_ from: Int32, _ to: Int32, _ part: Int32, _ shift: Int) -> Int32 {
    from + ((to - from) * part) >> Int32(shift)
  }

  /// With noise as of a sensor: the sum of six draws is nearly normal.
  private static func sample(_ value: Int32, _ bits: UInt64) -> UInt8 {
    let noise = (0..<6).reduce(Int32(-9)) { $0 + Int32((bits >> UInt64(2 * $1)) & 3) }
    return UInt8(clamping: value + 3 * noise / 2)
  }
}

/// The generator of Steele, Lea and Flood (2014): small, fast and the same everywhere.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
