/// A function of a pixel's colour, and of its place where it looks at that.
protocol PixelFunction: Sendable {
  /// Changes colours in place; they are not premultiplied, the fourth lane is alpha and stays.
  ///
  /// The pixels lie side by side in one row, the first at `place`. Called on several threads.
  func apply(to block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace)

  /// Where results can lie when what is given lies within the bounds.
  func bounds(within bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds

  /// One function that does the same as both; nil when there is none that is cheaper.
  func followed(by next: any PixelFunction) -> (any PixelFunction)?
}

extension PixelFunction {
  func followed(by next: any PixelFunction) -> (any PixelFunction)? { nil }
}

/// Where a filter acts: a weight for each pixel.
protocol MaskFunction: Sendable {
  /// Writes weights from 0 to 1.
  ///
  /// `block` holds what was there before the filter, in linear working RGB, side by side in one row
  /// from `place` on.
  func weigh(
    _ block: UnsafeMutableBufferPointer<SIMD4<Float>>, at place: PixelPlace,
    into weights: UnsafeMutableBufferPointer<Float>)
}

/// A part of a program whose result is mixed with what was there before, in linear light.
struct MaskedBlend: Sendable {
  /// 0…1.
  var opacity: Double
  /// nil means everywhere.
  var mask: (any MaskFunction)?
  /// Begin and end in linear working RGB.
  var operations: [ColourProgram.Operation]
}
