package import RenderModel

/// `RenditionSizing` in the pixel sizes of the pipeline.
package struct TargetSizing: Hashable, Sendable {
  package var resampled: PixelSize
  /// Equal to `resampled` unless the target is filled.
  package var final: PixelSize

  /// Sizes are as displayed.
  package init(of picture: PixelSize, for rendition: Rendition) {
    let sizing = RenditionSizing(
      of: RenditionSizing.Sides(width: picture.width, height: picture.height), for: rendition)
    resampled = PixelSize(sizing.resampled)
    final = PixelSize(sizing.final)
  }
}

extension PixelSize {
  fileprivate init(_ sides: RenditionSizing.Sides) {
    self.init(width: sides.width, height: sides.height)
  }
}
