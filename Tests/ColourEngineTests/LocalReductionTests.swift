import ColourEngine
import Glibc
import RenderModel
import Testing

@Suite("The reduced picture") struct LocalReductionTests {
  @Test(
    "its long side is 1024 at most, and its shape is kept",
    arguments: [
      (6000, 4000, 1024, 683), (4000, 6000, 683, 1024), (1024, 1, 1024, 1), (1, 1, 1, 1),
      (100_000, 3, 1024, 1), (1025, 1025, 1024, 1024), (800, 600, 800, 600),
    ])
  func sides(width: Int, height: Int, wide: Int, high: Int) {
    #expect(ReducedPicture.sides(width, height) == (wide, high))
  }

  @Test("its pixels are means over the area, cut pixels counted in part")
  func means() {
    // Five columns to two: 2½ columns each.
    let picture = LocalPicture.grey(5, 2) { x, y in [1, 2, 4, 8, 16][x] * (y == 0 ? 1 : 3) }
    let reduced = picture.reduced(longest: 2)
    #expect(reduced.width == 2 && reduced.height == 1)
    #expect(abs(reduced.pixels[0].x - (1 + 2 + 0.5 * 4) / 2.5 * 2) < 1e-5)
    #expect(abs(reduced.pixels[1].y - (0.5 * 4 + 8 + 16) / 2.5 * 2) < 1e-5)
    #expect(reduced.reduction == 2.5)
  }

  @Test("the mean of the whole stays, whatever the sizes are")
  func energy() {
    for (width, height, longest) in [(97, 61, 31), (64, 64, 64), (130, 7, 100), (33, 500, 77)] {
      let picture = LocalPicture.grey(width, height) { x, y in Float((x * 7 + y * 13) % 11) }
      let reduced = picture.reduced(longest: longest)
      let before =
        stride(from: 0, to: picture.samples.count, by: 4)
        .reduce(0) { $0 + Double(picture.samples[$1]) } / Double(width * height)
      let after = reduced.pixels.reduce(0) { $0 + Double($1.x) } / Double(reduced.pixels.count)
      #expect(abs(before - after) < 1e-4)
      #expect(reduced.pixels.allSatisfy { abs($0.w - 1) < 1e-5 })
    }
  }

  @Test("transparent pixels do not colour their neighbours")
  func alpha() {
    let picture = LocalPicture(4, 1) { x, _ in x < 1 ? [0.5, 0.25, 1, 1] : [9, 9, 9, 0] }
    let reduced = picture.reduced(longest: 2)
    #expect(reduced.pixels[0] == [0.5, 0.25, 1, 0.5])
    #expect(reduced.pixels[1] == [0, 0, 0, 0])
  }

  @Test("pictures of 8 bits are taken in through their curve")
  func codes() {
    let layout = PixelLayout.encoded(.uint8)
    let reduction = PictureReduction(from: layout, width: 2, height: 1, longest: 1)
    unsafe ([0, 0, 0, 255, 255, 255] as [UInt8]).withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe reduction.add(start, row: 0)
    }
    let pixel = reduction.picture().pixels[0]
    #expect(abs(pixel.x - 0.5) < 1e-5 && abs(pixel.z - 0.5) < 1e-5)
  }

  @Test("it is looked up bilinearly, and its edges go on")
  func resampling() {
    let picture = LocalPicture(3, 2) { x, y in [Float(x), Float(y), 1, 1] }.reduced()
    let moved = picture.resampled(width: 2, height: 1, through: .translation(0.25, 0.5))
    #expect(moved.pixels[0] == [0.25, 0.5, 1, 1])
    #expect(moved.pixels[1] == [1.25, 0.5, 1, 1])
    let far = picture.resampled(width: 1, height: 1, through: .translation(40, -40))
    #expect(far.pixels[0] == [2, 0, 1, 1])
  }

  @Test("a blur keeps flat pictures and the sum of a dot")
  func blur() {
    let gaussian = { (x: Double) in 1 / (1 + x * x * x * x) }
    let flat = LocalPicture.grey(20, 9) { _, _ in 0.4 }.reduced()
    let blurred = flat.blurred(sigma: 2, weight: gaussian)
    #expect(blurred.pixels.allSatisfy { abs($0.x - 0.4) < 1e-6 })
    let dot = LocalPicture.grey(31, 31) { x, y in x == 15 && y == 15 ? 1 : 0 }.reduced()
      .blurred(sigma: 2, weight: gaussian)
    #expect(abs(dot.pixels.reduce(0) { $0 + $1.x } - 1) < 1e-4)
    #expect(dot.pixels[15 * 31 + 15].x < 0.2)
  }

  @Test("a blur carries the edges on, near them and far beyond the picture", arguments: [2.0, 40])
  func edges(sigma: Double) {
    let (width, height) = (23, 11)
    let value = { (x: Int, y: Int) in Float((7 * x + 5 * y * y) % 13) / 13 }
    let blurred = LocalPicture.grey(width, height) { x, y in value(x, y) }.reduced()
      .blurred(sigma: sigma) { exp(-$0 * $0 / 2) }
    let reach = Int(3 * sigma + 0.5)
    func weight(_ step: Int) -> Double {
      exp(-Double(step * step) / (2 * sigma * sigma))
    }
    for (x, y) in [(0, 0), (22, 10), (3, 9), (11, 5)] {
      var (sum, total) = (0.0, 0.0)
      for down in -reach...reach {
        for across in -reach...reach {
          let one = weight(down) * weight(across)
          let column = min(max(x + across, 0), width - 1)
          sum += one * Double(value(column, min(max(y + down, 0), height - 1)))
          total += one
        }
      }
      #expect(abs(Double(blurred.pixels[y * width + x].x) - sum / total) < 1e-4)
    }
  }
}
