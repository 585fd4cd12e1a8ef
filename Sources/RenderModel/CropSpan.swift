/// The whole pixels that a crop asks for along one side.
package enum CropSpan {
  /// As far as the picture has them; nil when none is left. Both ends are rounded, halves up.
  ///
  /// `unit`: pixels that a length of 1 stands for.
  package static func pixels(
    from start: Double, length: Double, unit: Int, within limit: Int
  ) -> Range<Int>? {
    guard length > 0 else { return nil }
    let low = pixel(start * Double(unit), limit)
    let high = pixel((start + length) * Double(unit), limit)
    if low < high { return low..<high }
    // Less than half a pixel is asked for: the one it lies in, if that is inside.
    let middle = ((start + length / 2) * Double(unit)).rounded(.down)
    guard middle >= 0, middle < Double(limit) else { return nil }
    return Int(middle)..<(Int(middle) + 1)
  }

  private static func pixel(_ value: Double, _ limit: Int) -> Int {
    Int(min(max((value + 0.5).rounded(.down), 0), Double(limit)))
  }
}
