import Imaging
import RenderModel
import Testing

@Suite("Target size")
struct TargetSizingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var picture: (Int, Int)
    var box: (Int, Int)
    var mode = Rendition.ContentMode.aspectFit
    var enlarge = false
    var resampled: (Int, Int)
    var final: (Int, Int)?

    var testDescription: String { "\(picture) into \(box) \(mode) \(enlarge)" }
  }

  @Test(
    "sizes are those that the words promise",
    arguments: [
      Case(picture: (4000, 3000), box: (2048, 2048), resampled: (2048, 1536)),
      Case(picture: (3000, 4000), box: (2048, 2048), resampled: (1536, 2048)),
      // Report 19: 40 x 20000.
      Case(picture: (40, 20000), box: (2000, 2000), resampled: (4, 2000)),
      Case(picture: (20000, 10), box: (1000, 1000), resampled: (1000, 1)),
      // Halves round up: 3 * 50 / 100 = 1.5.
      Case(picture: (100, 3), box: (50, 50), resampled: (50, 2)),
      Case(picture: (100, 80), box: (200, 200), resampled: (100, 80)),
      Case(picture: (100, 80), box: (200, 200), enlarge: true, resampled: (200, 160)),
      Case(picture: (100, 80), box: (50, 0), resampled: (50, 40)),
      Case(picture: (100, 80), box: (0, 20), resampled: (25, 20)),
      Case(picture: (100, 80), box: (0, 0), resampled: (100, 80)),
      Case(picture: (100, 80), box: (-5, 40), resampled: (50, 40)),
      Case(
        picture: (400, 300), box: (100, 100), mode: .aspectFill, resampled: (133, 100),
        final: (100, 100)),
      Case(
        picture: (300, 400), box: (100, 100), mode: .aspectFill, resampled: (100, 133),
        final: (100, 100)),
      Case(
        picture: (400, 300), box: (800, 800), mode: .aspectFill, resampled: (400, 300),
        final: (300, 300)),
      Case(
        picture: (400, 300), box: (800, 200), mode: .aspectFill, resampled: (400, 300),
        final: (400, 100)),
      Case(
        picture: (40, 30), box: (80, 80), mode: .aspectFill, enlarge: true,
        resampled: (107, 80), final: (80, 80)),
      Case(picture: (400, 300), box: (100, 0), mode: .aspectFill, resampled: (100, 75)),
      Case(picture: (400, 300), box: (100, 250), mode: .exact, resampled: (100, 250)),
      Case(picture: (400, 300), box: (800, 250), mode: .exact, resampled: (400, 250)),
      Case(
        picture: (400, 300), box: (800, 900), mode: .exact, enlarge: true, resampled: (800, 900)),
      Case(picture: (1, 1), box: (1, 1), resampled: (1, 1)),
    ])
  func sizes(each: Case) {
    let sizing = TargetSizing(
      of: PixelSize(width: each.picture.0, height: each.picture.1),
      for: Rendition(
        name: "r", targetSize: .init(width: each.box.0, height: each.box.1),
        contentMode: each.mode, enlarge: each.enlarge))
    #expect(sizing.resampled == PixelSize(width: each.resampled.0, height: each.resampled.1))
    let final = each.final ?? each.resampled
    #expect(sizing.final == PixelSize(width: final.0, height: final.1))
  }

  @Test("no target and absurd targets are no reason to stop")
  func extremes() {
    let picture = PixelSize(width: 7, height: 5)
    #expect(TargetSizing(of: picture, for: Rendition(name: "r")).final == picture)
    let vast = Rendition(
      name: "r", targetSize: .init(width: .max, height: .max), contentMode: .aspectFill,
      enlarge: true)
    #expect(TargetSizing(of: picture, for: vast).final.width > 10_000_000)
  }
}
