import RenderModel
import Testing

@testable import ColourEngine

/// The share of pixels whose colours the target does not hold.
@Suite("The gamut meter") struct GamutMeterTests {
  /// Full green of Display P3 lies outside sRGB, grey inside both.
  static let outside: [UInt8] = [0, 255, 0]
  static let inside: [UInt8] = [90, 90, 90]

  static func share(
    _ colours: [[UInt8]], _ source: PixelLayout, width: Int
  ) -> Double {
    let meter = GamutMeter()
    let pass = PixelPass(
      from: source, placed: [],
      to: PixelLayout(sample: .uint8, bands: 3, alpha: .none, space: .sRGB), gamut: meter)
    let input = (0..<width).flatMap { colours[$0 % colours.count] }
    _ = run(pass, input, bands: source.bands, to: 3, as: UInt8.self)
    return meter.share
  }

  @Test(
    "pixels are counted one by one, also where they fill no group of eight",
    arguments: [1, 3, 8, 13, 256, 259, 1001])
  func opaque(width: Int) {
    let layout = PixelLayout(sample: .uint8, bands: 3, alpha: .none, space: .displayP3)
    let wanted = Double((width + 2) / 3) / Double(width)
    let found = Self.share([Self.outside, Self.inside, Self.inside], layout, width: width)
    #expect(abs(found - wanted) < 1e-12)
    #expect(Self.share([Self.inside], layout, width: width) == 0)
  }

  @Test("what is not seen is not lost", arguments: [4, 255, 1001])
  func transparent(width: Int) {
    let layout = PixelLayout(sample: .uint8, bands: 4, alpha: .straight, space: .displayP3)
    let colours = [
      Self.outside + [0], Self.outside + [255], Self.inside + [255], Self.inside + [0],
    ]
    let wanted = Double((width + 2) / 4) / Double(width)
    #expect(abs(Self.share(colours, layout, width: width) - wanted) < 1e-12)
  }

  @Test("a pass into a space that holds everything counts nothing outside")
  func wide() {
    let meter = GamutMeter()
    let layout = PixelLayout(sample: .uint8, bands: 3, alpha: .none, space: .displayP3)
    let pass = PixelPass(
      from: layout, placed: [],
      to: PixelLayout(sample: .uint8, bands: 3, alpha: .none, space: .rec2020), gamut: meter)
    _ = run(pass, Self.outside + Self.inside, bands: 3, to: 3, as: UInt8.self)
    #expect(meter.share == 0)
  }
}
