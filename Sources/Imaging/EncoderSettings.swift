import CImagingShim
import RenderModel

/// What a rendition asks for, in the units of its encoder.
enum EncoderSettings {
  /// `depth`: bits a sample as encoded.
  static func options(
    _ rendition: Rendition, quality: Int, depth: Int,
    colours: (primaries: Int, transfer: Int) = (1, 13)
  ) -> minilab_save_options {
    let quality = min(max(quality, 1), 100)
    return minilab_save_options(
      codec: rendition.type.encoder, quality: Int32(quality), bit_depth: Int32(depth),
      chroma: chroma(rendition, quality),
      progressive: rendition.flag(.progressive) ? 1 : 0,
      optimize_coding: rendition.flag(.optimizeCoding) ? 1 : 0,
      lossless: rendition.flag(.lossless) ? 1 : 0, effort: Int32(effort(rendition)),
      compression: compression(rendition), predictor: rendition.flag(.predictor) ? 1 : 0,
      tile: Int32(rendition.number(.tileSize) ?? 0),
      distance: rendition.flag(.lossless) ? 0 : distance(quality: quality),
      primaries: Int32(colours.primaries), transfer: Int32(colours.transfer))
  }

  /// Fails before anything is decoded when this machine has no encoder for the type.
  static func refuseIfMissing(_ rendition: Rendition) throws(RenderFailure) {
    if ImagingRuntime.writable.contains(rendition.type) { return }
    throw RenderFailure(
      code: .unsupportedType, stage: .encode,
      detail:
        "the rendition \(rendition.name) would be \(rendition.type.rawValue), and the libraries "
        + "of this machine have no encoder for it; these can be written: "
        + ImagingRuntime.writable.map(\.rawValue).joined(separator: ", "))
  }

  /// The distance that libjxl's own programs use for a quality.
  static func distance(quality: Int) -> Float {
    let quality = Float(quality)
    if quality >= 30 { return 0.1 + (100 - quality) * 0.09 }
    return min(15, 53 / 3000 * quality * quality - 23 / 20 * quality + 25)
  }

  private static func chroma(_ rendition: Rendition, _ quality: Int) -> minilab_chroma {
    switch rendition.word(.chromaSubsampling) {
    case "4:4:4": MINILAB_CHROMA_444
    case "4:2:2": MINILAB_CHROMA_422
    case "4:2:0": MINILAB_CHROMA_420
    default: quality >= 90 ? MINILAB_CHROMA_444 : MINILAB_CHROMA_420
    }
  }

  private static func compression(_ rendition: Rendition) -> minilab_compression {
    switch rendition.word(.compression) {
    case "none": MINILAB_COMPRESSION_NONE
    case "lzw": MINILAB_COMPRESSION_LZW
    case "zstd": MINILAB_COMPRESSION_ZSTD
    default: MINILAB_COMPRESSION_DEFLATE
    }
  }

  /// From 1…9 to the encoder's own scale.
  private static func effort(_ rendition: Rendition) -> Int {
    let given = rendition.options[.effort]
    let effort = rendition.number(.effort) ?? 6
    switch rendition.type {
    // Methods 0…6.
    case .webP: return ((effort - 1) * 6 + 4) / 8
    case .jpegXL where rendition.flag(.lossless) && given == nil: return 3
    default: return effort
    }
  }
}

extension UniformType {
  var encoder: minilab_codec {
    switch self {
    case .png: MINILAB_CODEC_PNG
    case .webP: MINILAB_CODEC_WEBP
    case .tiff: MINILAB_CODEC_TIFF
    case .avif: MINILAB_CODEC_AVIF
    case .heic: MINILAB_CODEC_HEIC
    case .jpegXL: MINILAB_CODEC_JXL
    default: MINILAB_CODEC_JPEG
    }
  }
}
