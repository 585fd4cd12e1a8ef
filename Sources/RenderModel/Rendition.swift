/// One wanted output of a job.
package struct Rendition: Hashable, Sendable {
  package enum ContentMode: String, Hashable, Sendable, CaseIterable {
    /// The whole picture inside the target size.
    case aspectFit
    /// The target size filled, what sticks out cut off evenly.
    case aspectFill
    /// The target size exactly, the aspect ratio given up.
    case exact
  }

  package enum DeliveryMode: String, Hashable, Sendable, CaseIterable {
    /// Filters at full resolution, then one reduction.
    case highQuality
    /// Reduction first where the decoder offers it; the report says so.
    case fast
  }

  package enum ColorSpace: String, Hashable, Sendable, CaseIterable {
    /// RGB sources keep their space, HDR and RAW become Display P3, all else sRGB.
    case source
    case sRGB
    case displayP3
    case adobeRGB
    case rec2020
  }

  /// How colours are met that one side has and the other has not (ICC.1, 6.2).
  ///
  /// It matters where a profile with lookup tables is part of the way; matrices know only `relative`.
  package enum RenderingIntent: String, Hashable, Sendable, CaseIterable {
    case relative
    case perceptual
    case saturation
    case absolute
  }

  package enum MetadataPolicy: String, Hashable, Sendable, CaseIterable {
    case keep
    case strip
    case minimal
  }

  package enum LocationPolicy: String, Hashable, Sendable, CaseIterable {
    case keep
    case strip
  }

  /// The box to render into, in pixels; 0 leaves a side free.
  package struct TargetSize: Hashable, Sendable {
    package var width: Int
    package var height: Int
    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  package var name: String
  package var type: UniformType
  /// nil: the size of the adjusted picture.
  package var targetSize: TargetSize?
  package var contentMode: ContentMode
  package var deliveryMode: DeliveryMode
  package var enlarge: Bool
  /// 1…100; has no effect on lossless types.
  package var quality: Int
  /// nil: 8. What a type can have is in the catalogue of `OutputOption`.
  package var bitDepth: Int?
  package var colorSpace: ColorSpace
  /// The name of an ICC profile beneath the library that stands in place of `colorSpace`; nil: none.
  package var profile: String?
  package var renderingIntent: RenderingIntent
  /// Whether the darkest of one side becomes the darkest of the other.
  package var blackPointCompensation: Bool
  package var metadata: MetadataPolicy
  package var location: LocationPolicy
  /// What else is said about the encoding.
  package var options: OutputOptions

  package init(
    name: String, type: UniformType = .jpeg, targetSize: TargetSize? = nil,
    contentMode: ContentMode = .aspectFit, deliveryMode: DeliveryMode = .highQuality,
    enlarge: Bool = false, quality: Int = 90, bitDepth: Int? = nil,
    colorSpace: ColorSpace = .source, profile: String? = nil,
    renderingIntent: RenderingIntent = .relative, blackPointCompensation: Bool = false,
    metadata: MetadataPolicy = .keep, location: LocationPolicy = .keep,
    options: OutputOptions = OutputOptions()
  ) {
    self.name = name
    self.type = type
    self.targetSize = targetSize
    self.contentMode = contentMode
    self.deliveryMode = deliveryMode
    self.enlarge = enlarge
    self.quality = quality
    self.bitDepth = bitDepth
    self.colorSpace = colorSpace
    self.profile = profile
    self.renderingIntent = renderingIntent
    self.blackPointCompensation = blackPointCompensation
    self.metadata = metadata
    self.location = location
    self.options = options
  }
}
