/// Which pixels of a RAW file are the picture.
package enum RAWSource: String, Hashable, Sendable, CaseIterable {
  /// The sensor's data, developed.
  case sensor
  /// The JPEG that the camera put into the file.
  case embeddedPreview
}
