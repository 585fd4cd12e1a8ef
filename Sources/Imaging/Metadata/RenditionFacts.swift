import ColourEngine
import RenderModel

/// What metadata have to agree with: the pixels of one rendition, and how they came from the original.
struct RenditionFacts: Hashable, Sendable {
  var type: UniformType
  var size: PixelSize
  /// Whether the embedded profile is sRGB.
  var isSRGB: Bool
  /// Whether the whole picture is shown the way it was stored, so that places in it are still right.
  var keepsFrame: Bool
  /// Whether its pixels are also as many as they were.
  var keepsSize: Bool

  /// Whether the container has a place of its own for IPTC.
  var holdsIPTC: Bool { type == .jpeg || type == .tiff }

  var mediaType: String {
    switch type {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webP: "image/webp"
    case .tiff: "image/tiff"
    case .avif: "image/avif"
    case .heic: "image/heic"
    case .jpegXL: "image/jxl"
    default: "application/octet-stream"
    }
  }
}

extension RenderGeometry {
  /// Whether nothing but its scale tells an output from the picture as stored.
  func keepsFrame(_ output: Output) -> Bool {
    orientation == .upright && output.part == .whole(output.resampled)
      && stages.allSatisfy { stage in
        switch stage {
        case .point, .local, .neighbourhood, .overlay: true
        case .crop, .turn, .warp, .canvas: false
        }
      }
  }
}
