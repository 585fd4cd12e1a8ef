import ColourEngine
import Imaging
import Testing

@Suite("Embedded profiles")
struct EmbeddedProfileTests {
  /// Four tags of a profile as numbers: the colourants and the white.
  static func colourant(_ profile: [UInt8], _ name: String) -> [Double] {
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 << 8 | Int(profile[offset + $1]) }
    }
    for index in 0..<number(128) {
      let entry = 132 + 12 * index
      guard profile[entry..<(entry + 4)].elementsEqual(Array(name.utf8)) else { continue }
      let data = number(entry + 4) + 8
      return (0..<3).map {
        Double(Int32(truncatingIfNeeded: number(data + 4 * $0))) / 65_536
      }
    }
    return []
  }

  /// The Bradford-adapted matrix of sRGB under D50, as Bruce Lindbloom publishes it.
  @Test(
    "sRGB has the published colourants",
    arguments: [
      ("rXYZ", [0.4360747, 0.2225045, 0.0139322]), ("gXYZ", [0.3850649, 0.7168786, 0.0971045]),
      ("bXYZ", [0.1430804, 0.0606169, 0.7141733]), ("wtpt", [0.9642, 1, 0.8249]),
    ])
  func colourants(name: String, wanted: [Double]) {
    let found = Self.colourant(EmbeddedProfile.sRGB, name)
    #expect(found.count == 3)
    // Lindbloom's white of D65 has four digits, that of IEC 61966-2-1 is given by x and y.
    for (a, b) in zip(found, wanted) { #expect(abs(a - b) < 3e-4) }
  }

  /// As Apple's own profile has them.
  @Test(
    "Display P3 has the published colourants",
    arguments: [
      ("rXYZ", [0.51512, 0.2412, -0.00105]), ("gXYZ", [0.29198, 0.69225, 0.04189]),
      ("bXYZ", [0.1571, 0.06657, 0.78407]),
    ])
  func wideColourants(name: String, wanted: [Double]) {
    let found = Self.colourant(EmbeddedProfile.displayP3, name)
    #expect(found.count == 3)
    for (a, b) in zip(found, wanted) { #expect(abs(a - b) < 1e-4) }
  }

  @Test("they are read back as the spaces they stand for")
  func readBack() {
    #expect(RGBSpace(iccProfile: EmbeddedProfile.sRGB) == .sRGB)
    #expect(RGBSpace(iccProfile: EmbeddedProfile.displayP3) == .displayP3)
    #expect(ICCProfile.description(of: EmbeddedProfile.sRGB) == "sRGB")
    #expect(ICCProfile.description(of: EmbeddedProfile.displayP3) == "Display P3")
    #expect(EmbeddedProfile.sRGB.count < 600)
  }
}
