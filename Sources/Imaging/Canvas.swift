import ColourEngine
package import RenderModel

/// An even ground that shows a picture, or a part of it.
package struct Canvas: Hashable, Sendable {
  package var size: PixelSize
  package var colour: CanvasColour
  /// The part of the canvas where the picture is seen; empty when nothing of it is.
  package var kept: PixelRect
  /// Whether the picture's top left corner lies at that of `kept`; else at that of the canvas.
  package var isMoved: Bool

  package init(size: PixelSize, colour: CanvasColour, kept: PixelRect, isMoved: Bool) {
    self.size = size
    self.colour = colour
    self.kept = kept
    self.isMoved = isMoved
  }

  /// Where the picture's top left corner lies.
  var corner: (left: Int, top: Int) { isMoved ? (kept.left, kept.top) : (0, 0) }
}

/// An opaque colour in linear working RGB.
package struct CanvasColour: Hashable, Sendable {
  package var light: SIMD3<Double>

  /// nil when the step has no `colour` of three numbers 0…1.
  package init?(_ step: FilterStep) {
    guard let numbers = step.numbers("colour"), numbers.count == 3,
      numbers.allSatisfy({ (0...1).contains($0) })
    else { return nil }
    light = RGBSpace.sRGB.toWorking.apply([
      TransferCurve.sRGB.decode(numbers[0]), TransferCurve.sRGB.decode(numbers[1]),
      TransferCurve.sRGB.decode(numbers[2]),
    ])
  }
}

/// Fills a canvas: the picture where it is kept, the colour elsewhere.
struct CanvasFilter: WindowFilter {
  private let canvas: Canvas
  private let input: PixelSize

  init(_ canvas: Canvas, over input: PixelSize) {
    self.canvas = canvas
    self.input = input
  }

  /// Where only colour is wanted, the nearest pixel of the picture: something must be asked for.
  func need(_ rect: PixelRect) -> PixelRect {
    let (left, top) = canvas.corner
    let across = Self.range(rect.left - left, rect.right - left, input.width)
    let down = Self.range(rect.top - top, rect.bottom - top, input.height)
    return PixelRect(
      left: across.lowerBound, top: down.lowerBound, width: across.count, height: down.count)
  }

  private static func range(_ start: Int, _ end: Int, _ length: Int) -> Range<Int> {
    let first = min(max(start, 0), length - 1)
    return first..<max(first + 1, min(end, length))
  }

  func fill(_ output: FloatWindow, from input: FloatWindow) {
    let rect = output.rect
    let kept = canvas.kept
    let colour = SIMD4<Float>(SIMD3<Float>(canvas.colour.light), 1)
    let first = min(max(kept.left, rect.left), rect.right)
    let last = max(first, min(kept.right, rect.right))
    for y in rect.top..<rect.bottom {
      let isKept = y >= kept.top && y < kept.bottom && first < last
      let (start, end) = isKept ? (first, last) : (rect.right, rect.right)
      paint(output, y, rect.left..<start, colour)
      if isKept {
        let (left, top) = canvas.corner
        let from = unsafe input.row(start - left, y - top)
        unsafe output.row(start, y).update(from: from, count: (end - start) * output.bands)
        paint(output, y, end..<rect.right, colour)
      }
    }
  }

  private func paint(
    _ output: FloatWindow, _ y: Int, _ columns: Range<Int>, _ colour: SIMD4<Float>
  ) {
    if columns.isEmpty { return }
    var place = unsafe output.row(columns.lowerBound, y)
    for _ in columns {
      for band in 0..<output.bands { unsafe place[band] = colour[band] }
      unsafe place += output.bands
    }
  }
}
