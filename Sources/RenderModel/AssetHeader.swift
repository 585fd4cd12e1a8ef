/// What the header of a picture says, before any pixel is decoded.
package struct AssetHeader: Hashable, Sendable {
  package var type: UniformType
  /// Stored width in pixels, before orientation.
  package var width: Int
  package var height: Int
  package var pages: Int
  /// Samples a pixel, alpha included.
  package var bands: Int
  /// Bits a sample as decoded: 8, 16 or 32.
  package var bitDepth: Int
  /// EXIF orientation that still has to be applied to what the decoder gives, 1…8.
  package var orientation: Int
  package var hasAlpha: Bool
  /// What the embedded profile calls itself, or `untagged`.
  package var profile: String
  /// EXIF capture date as `YYYY-MM-DDThh:mm:ss` with sub-seconds and offset when given; nil when absent.
  package var captured: String?
  /// Whether decoding needs the whole picture in memory (progressive, interlaced).
  package var needsWholePicture: Bool
  /// What the file is beside its type, in words: `an animated PNG …`.
  package var notes: [String]

  package init(
    type: UniformType, width: Int, height: Int, pages: Int = 1, bands: Int = 3, bitDepth: Int = 8,
    orientation: Int = 1, hasAlpha: Bool = false, profile: String = "untagged",
    captured: String? = nil, needsWholePicture: Bool = false,
    notes: [String] = []
  ) {
    self.type = type
    self.width = width
    self.height = height
    self.pages = pages
    self.bands = bands
    self.bitDepth = bitDepth
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.profile = profile
    self.captured = captured
    self.needsWholePicture = needsWholePicture
    self.notes = notes
  }

  /// Width and height as a viewer shows them, after orientation.
  package var displayedSize: (width: Int, height: Int) {
    orientation >= 5 ? (height, width) : (width, height)
  }
}
