import Synchronization

/// A bitmap that is blurred when it is first looked at, since most masks are made before they are used.
final class BlurredBitmap: Sendable {
  let width: Int
  let height: Int
  private let blur: BitmapBlur
  private let bitmap: Mutex<MaskBitmap?>
  private let source: MaskBitmap

  /// σ in pixels of the bitmap.
  init(_ bitmap: MaskBitmap, across: Double, down: Double) {
    blur = BitmapBlur(width: bitmap.width, height: bitmap.height, across: across, down: down)
    (width, height) = (blur.across.reduced, blur.down.reduced)
    source = bitmap
    self.bitmap = Mutex(blur.isIdentity ? bitmap : nil)
  }

  /// Has the width and height.
  var result: MaskBitmap {
    bitmap.withLock { bitmap in
      if let bitmap { return bitmap }
      let blurred = MaskBitmap(
        width: width, height: height, weights: blur.blurred(source.weights))
      bitmap = blurred
      return blurred
    }
  }
}
