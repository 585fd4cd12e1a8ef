import ColourEngine
import Testing

/// Bytes from strangers: none may trap, and none may take long.
@Suite struct HostileICCProfileTests {
  static let samples: [ProfileBuilder] = [
    .rgb(ProfileBuilder.sRGBColourants, curve: ProfileBuilder.sRGBCurve),
    .rgb(ProfileBuilder.sRGBColourants, curve: ProfileBuilder.samples(16) { $0 * $0 }),
    ProfileBuilder(
      model: "GRAY",
      tags: [
        ("desc", ProfileBuilder.description("grey")), ("kTRC", ProfileBuilder.gamma(2.2)),
      ]),
  ]

  private func ask(_ bytes: [UInt8]) {
    _ = ICCProfile.description(of: bytes)
    _ = ICCProfile.colorModel(of: bytes)
    guard let space = RGBSpace(iccProfile: bytes) else { return }
    // What was accepted must be usable.
    #expect(space.toWorking.isFinite)
    #expect(space.toWorking.inverse != nil)
    for curve in space.curves {
      for value in [-1, 0, 0.3, 1, 2] {
        #expect(curve.decode(value).isFinite)
        #expect(curve.encode(value).isFinite)
      }
    }
  }

  @Test("a profile cut off at any length does not trap", arguments: samples)
  func truncated(sample: ProfileBuilder) {
    let bytes = sample.bytes
    for length in 0..<bytes.count { ask(Array(bytes[..<length])) }
    #expect(RGBSpace(iccProfile: bytes) != nil)
  }

  @Test("no byte set to an extreme traps", arguments: samples)
  func extremes(sample: ProfileBuilder) {
    let bytes = sample.bytes
    for index in bytes.indices {
      for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        ask(changed)
      }
    }
  }

  @Test("no word of all ones traps: counts, offsets and sizes beyond the end", arguments: samples)
  func words(sample: ProfileBuilder) {
    let bytes = sample.bytes
    for index in 0...(bytes.count - 4) {
      for word in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0]] as [[UInt8]]
      {
        var changed = bytes
        changed.replaceSubrange(index..<(index + 4), with: word)
        ask(changed)
      }
    }
  }

  @Test("random damage does not trap", arguments: samples)
  func random(sample: ProfileBuilder) {
    var numbers = SteadyNumbers(state: 11)
    let bytes = sample.bytes
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...12, using: &numbers) {
        changed[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(
          in: 0...255, using: &numbers)
      }
      ask(changed)
    }
  }
}
