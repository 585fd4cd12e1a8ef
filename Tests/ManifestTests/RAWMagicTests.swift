import Manifest
import RenderModel
import Testing

@Suite("RAW among TIFF files")
struct RAWMagicTests {
  /// A TIFF of one directory of LONG entries.
  static func tiff(_ entries: [(Int, Int)], big: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return big ? bytes.reversed() : bytes
    }
    var result: [UInt8] = Array((big ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    result += number(entries.count, 2)
    for (tag, value) in entries {
      result += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
    }
    return result + number(0, 4)
  }

  @Test(
    "sensor data is told from the first directory",
    arguments: [
      ([(0x0106, 2)], UniformType.tiff), ([(0x0106, 32_803)], .rawImage),
      ([(0x0106, 34_892)], .rawImage), ([(0x0103, 34_713)], .rawImage),
      ([(0x0103, 32_767)], .rawImage), ([(0x0103, 65_535)], .rawImage),
      ([(0x0103, 65_000)], .rawImage), ([(0x0103, 7)], .tiff),
      ([(0x00FE, 1), (0x014A, 300)], .rawImage), ([(0x00FE, 0), (0x014A, 300)], .tiff),
      ([(0x00FE, 1), (0x014A, 300), (0xC612, 1025)], .dng), ([(0xC612, 1025)], .dng), ([], .tiff),
    ], [false, true])
  func told(directory: (entries: [(Int, Int)], type: UniformType), big: Bool) {
    #expect(ContentMagic.type(of: Self.tiff(directory.entries, big: big)) == directory.type)
  }

  @Test("any prefix is looked at without harm")
  func prefixes() {
    let whole = Self.tiff([(0x00FE, 1), (0x014A, 300), (0xC612, 1025)])
    for length in 4..<whole.count - 16 {
      #expect([.tiff, .rawImage].contains(ContentMagic.type(of: Array(whole.prefix(length)))))
    }
  }

  @Test("signs of their own", arguments: ["\0MRM", "FOVb"])
  func signs(sign: String) { #expect(ContentMagic.type(of: Array(sign.utf8)) == .rawImage) }
}
