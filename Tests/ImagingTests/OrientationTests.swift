import Imaging
import Testing

@Suite("Orientation")
struct OrientationTests {
  /// Where EXIF 2.32, table 4, puts the stored pixel (x, y) of a width × height picture.
  static func shown(_ number: Int, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int) {
    switch number {
    case 2: (width - 1 - x, y)
    case 3: (width - 1 - x, height - 1 - y)
    case 4: (x, height - 1 - y)
    case 5: (y, x)
    case 6: (height - 1 - y, x)
    case 7: (height - 1 - y, width - 1 - x)
    case 8: (y, width - 1 - x)
    default: (x, y)
    }
  }

  @Test("a part of the displayed frame is found in the stored one", arguments: Orientation.all)
  func partsAreFound(orientation: Orientation) {
    let stored = PixelSize(width: 5, height: 3)
    let displayed = orientation.displayed(stored)
    for left in 0..<displayed.width {
      for top in 0..<displayed.height {
        for width in 1...(displayed.width - left) {
          for height in 1...(displayed.height - top) {
            let shown = PixelRect(left: left, top: top, width: width, height: height)
            let found = orientation.stored(shown, of: stored)
            var inside: Set<[Int]> = []
            for x in 0..<stored.width {
              for y in 0..<stored.height {
                let (u, v) = Self.shown(orientation.number, x, y, stored.width, stored.height)
                if (left..<left + width).contains(u) && (top..<top + height).contains(v) {
                  inside.insert([x, y])
                }
              }
            }
            var claimed: Set<[Int]> = []
            for x in found.left..<found.right {
              for y in found.top..<found.bottom { claimed.insert([x, y]) }
            }
            #expect(claimed == inside)
          }
        }
      }
    }
  }

  @Test("one orientation after another is the one that does both", arguments: Orientation.all)
  func composition(first: Orientation) {
    for second in Orientation.all {
      let both = first.then(second)
      for (x, y) in [(0, 0), (4, 0), (1, 2), (3, 1)] {
        let middle = Self.shown(first.number, x, y, 5, 3)
        let size = first.displayed(PixelSize(width: 5, height: 3))
        let stepwise = Self.shown(second.number, middle.0, middle.1, size.width, size.height)
        #expect(stepwise == Self.shown(both.number, x, y, 5, 3))
      }
    }
  }

  @Test("numbers outside 1 to 8 are no orientation", arguments: [-1, 0, 9, 256])
  func outside(number: Int) { #expect(Orientation(number) == nil) }
}
