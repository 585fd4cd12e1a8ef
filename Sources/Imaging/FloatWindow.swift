import CImagingShim

/// A part of a picture of floats that a filter reads or writes while it is called.
@safe
struct FloatWindow {
  private let samples: UnsafeMutableRawPointer
  /// Bytes from row to row.
  let stride: Int
  let rect: PixelRect
  let bands: Int

  /// nil when the library gave no samples.
  init?(_ window: minilab_window, bands: Int) {
    guard let samples = unsafe window.samples else { return nil }
    unsafe self.samples = samples
    stride = unsafe Int(window.stride)
    rect = unsafe PixelRect(window.rect)
    self.bands = bands
  }

  /// A sample, its position moved to the nearest one of the window.
  func clamped(_ x: Int, _ y: Int, _ band: Int) -> Float {
    unsafe pointer(
      min(max(x, rect.left), rect.right - 1), min(max(y, rect.top), rect.bottom - 1)
    )[band]
  }

  /// Whether a square part, given by its top left corner, lies inside the window.
  func holds(_ x: Int, _ y: Int, count: Int) -> Bool {
    x >= rect.left && y >= rect.top && x + count <= rect.right && y + count <= rect.bottom
  }

  func set(_ x: Int, _ y: Int, _ band: Int, _ value: Float) {
    unsafe pointer(x, y)[band] = value
  }

  /// The samples from a position inside the window on, to the end of its row.
  func row(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> { unsafe pointer(x, y) }

  private func pointer(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    unsafe (samples + (y - rect.top) * stride)
      .assumingMemoryBound(to: Float.self) + (x - rect.left) * bands
  }
}

extension PixelRect {
  init(_ rect: minilab_rect) {
    self.init(
      left: Int(rect.left), top: Int(rect.top), width: Int(rect.width), height: Int(rect.height))
  }

  var library: minilab_rect {
    minilab_rect(
      left: Int32(clamping: left), top: Int32(clamping: top), width: Int32(clamping: width),
      height: Int32(clamping: height))
  }
}
