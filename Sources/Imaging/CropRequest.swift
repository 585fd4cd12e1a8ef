import RenderModel

/// A crop as its filter asks for it.
struct CropRequest: Hashable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
  /// Pixels of the picture; else fractions of its sides.
  var isPixels: Bool
  /// Counted in the stored frame; else in the displayed one.
  var isStored: Bool

  /// nil when a number is missing or not finite.
  init?(_ step: FilterStep) {
    guard let x = step.number("x"), let y = step.number("y"), let width = step.number("width"),
      let height = step.number("height"),
      [x, y, width, height].allSatisfy({ $0.isFinite })
    else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    isPixels = step.text("unit") == "pixel"
    isStored = step.text("frame") == "stored"
  }

  /// The whole pixels asked for, as far as the picture has them; nil when none is left.
  ///
  /// Both ends are rounded, halves up, so that crops that share an edge share it here too.
  func rect(in size: PixelSize) -> PixelRect? {
    guard
      let across = CropSpan.pixels(
        from: x, length: width, unit: isPixels ? 1 : size.width, within: size.width),
      let down = CropSpan.pixels(
        from: y, length: height, unit: isPixels ? 1 : size.height, within: size.height)
    else { return nil }
    return PixelRect(
      left: across.lowerBound, top: down.lowerBound, width: across.count, height: down.count)
  }
}

extension PixelRect {
  /// The same part of a picture that the decoder has reduced, at least one pixel of it.
  func reduced(by factor: Int, within size: PixelSize) -> PixelRect {
    if factor == 1 { return self }
    let left = min(left / factor, size.width - 1)
    let top = min(top / factor, size.height - 1)
    return PixelRect(
      left: left, top: top, width: max(1, min(size.width, right / factor) - left),
      height: max(1, min(size.height, bottom / factor) - top))
  }
}
