/// Lays premultiplied pixels in linear light over a part of a picture.
struct Overlay: WindowFilter {
  /// Where in the picture; all of it inside.
  private let rect: PixelRect
  private let opacity: Float
  /// Four floats a pixel in working light, row by row.
  private let samples: [UInt8]

  init(rect: PixelRect, opacity: Double, samples: [UInt8]) {
    self.rect = rect
    self.opacity = Float(opacity)
    self.samples = samples
    precondition(samples.count == rect.width * rect.height * 16)
  }

  func need(_ rect: PixelRect) -> PixelRect { rect }

  func fill(_ output: FloatWindow, from input: FloatWindow) {
    let bands = output.bands
    let whole = output.rect
    let seen = rect.intersection(whole)
    for y in whole.top..<whole.bottom {
      unsafe output.row(whole.left, y).update(
        from: input.row(whole.left, y), count: whole.width * bands)
      guard let seen, y >= seen.top, y < seen.bottom else { continue }
      var place = unsafe output.row(seen.left, y)
      let start = ((y - rect.top) * rect.width + seen.left - rect.left) * 16
      unsafe samples.withUnsafeBytes { bytes in
        for index in 0..<seen.width {
          let above = unsafe bytes.loadUnaligned(
            fromByteOffset: start + index * 16, as: SIMD4<Float>.self)
          // Resampling may push alpha out of range: no light without cover, none above full.
          let cover = min(above.w, 1) * opacity
          if cover > 0 {
            for band in 0..<3 {
              unsafe place[band] = opacity * above[band] + (1 - cover) * place[band]
            }
            if bands == 4 { unsafe place[3] = cover + (1 - cover) * place[3] }
          }
          unsafe place += bands
        }
      }
    }
  }
}
