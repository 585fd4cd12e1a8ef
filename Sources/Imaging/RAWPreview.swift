import RenderModel

/// The JPEG that a camera put into a RAW file, chosen in the place of the sensor's data.
final class RAWPreview {
  /// The JPEG, by a name that says where it lies.
  let content: ContentType
  private let raw: ContentType
  private let file: RAWFile

  init(_ descriptor: Int32, _ raw: ContentType) throws(RenderFailure) {
    self.raw = raw
    content = ContentType(.jpeg, "the preview inside \(raw.name)")
    file = try RAWPicture.open(descriptor, raw, isStrict: false)
  }

  func copy() throws(RenderFailure) -> FileBytes { try file.preview(raw) }

  var losses: [String] { ["sensorData"] }

  /// Turns a header of the JPEG into one of the RAW file.
  ///
  /// A preview that has an orientation of its own is turned by it. One that has none is turned as the
  /// RAW is, unless it lies turned already, which its longer side shows.
  func complete(_ header: inout AssetHeader, ownOrientation: Int?) {
    header.type = raw.type
    if header.captured == nil { header.captured = file.info.captured(file.exif) }
    if let ownOrientation {
      header.orientation = ownOrientation
    } else {
      header.orientation =
        file.info.isTurned(width: header.width, height: header.height)
        ? 1 : file.info.orientation
    }
  }

  func notes(_ header: AssetHeader) -> [String] {
    let size = "\(header.width) x \(header.height)"
    let sensor = "\(file.info.width) x \(file.info.height)"
    return [
      "RAW: the embedded preview of \(size) pixels, not the sensor's data of \(sensor) (rawSource)"
    ]
  }
}

extension RAWInfo {
  /// Whether a picture of that size has been turned by a quarter that the sensor's data still lacks.
  func isTurned(width previewWidth: Int, height previewHeight: Int) -> Bool {
    orientation >= 5 && width != height && previewWidth != previewHeight
      && (width > height) != (previewWidth > previewHeight)
  }
}
