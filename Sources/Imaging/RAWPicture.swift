import CImagingShim
import ColourEngine
import RenderModel

/// A RAW file whose sensor data is the picture.
final class RAWPicture {
  let header: AssetHeader
  /// Before development the camera's matrix is not settled.
  let colour = SourceColour(raw: .sRGB)
  let losses: [String]
  let metadata: MetadataBlocks
  /// What was decided on the way, for a person.
  let notes: [String]

  private let descriptor: Int32
  private let content: ContentType
  private var file: RAWFile?

  /// The descriptor stays the caller's and stays open until the picture is gone.
  init(
    _ descriptor: Int32, _ content: ContentType, _ limits: RenderLimits, isStrict: Bool
  ) throws(RenderFailure) {
    let file = try Self.open(descriptor, content, isStrict: isStrict)
    let info = file.info
    let entries = file.exif
    header = AssetHeader(
      type: content.type, width: info.width, height: info.height, bands: 3, bitDepth: 16,
      orientation: info.orientation, profile: "camera RGB",
      captured: info.captured(entries), needsWholePicture: true)
    try Self.refuse(header, info, limits)
    var metadata = MetadataBlocks()
    metadata.exif = entries.block.map(EXIFBlock.withoutPrefix)
    self.metadata = metadata
    losses =
      (info.frames > 1 ? ["pages"] : []) + (info.hasXMP ? ["xmp"] : [])
      + (info.hasMakerNote ? ["makerNote"] : [])
    notes = info.notes
    self.descriptor = descriptor
    self.content = content
  }

  static func open(
    _ descriptor: Int32, _ content: ContentType, isStrict: Bool
  ) throws(RenderFailure) -> RAWFile {
    guard let bytes = FileBytes(whole: descriptor) else {
      throw RenderFailure(
        code: .unreadable, stage: .header, detail: "the file cannot be read into memory")
    }
    let structure = RAWStructure(bytes)
    if isStrict, let reason = structure?.truncation ?? RAWContainers.truncation(of: bytes) {
      throw cutOff(content, reason)
    }
    do throws(RenderFailure) {
      return try RAWFile(bytes, content)
    } catch {
      guard [.unsupportedType, .unreadable].contains(error.code),
        structure?.lacksDirectory == true
      else { throw error }
      throw cutOff(content, "a directory lies behind the end of the file")
    }
  }

  private static func cutOff(_ content: ContentType, _ reason: String) -> RenderFailure {
    RenderFailure(
      code: .truncated, stage: .header, detail: "\(content.name) that is cut off: \(reason)")
  }

  /// Both what comes out and what has to be decoded for it must be within the limits.
  private static func refuse(
    _ header: AssetHeader, _ info: RAWInfo, _ limits: RenderLimits
  ) throws(RenderFailure) {
    var sensor = header
    sensor.width = max(header.width, info.sensorWidth)
    sensor.height = max(header.height, info.sensorHeight)
    // The border of a sensor that is not shown is narrow.
    let generous = RenderLimits(
      pixels: limits.pixels + limits.pixels / 4, side: limits.side + limits.side / 4,
      pages: limits.pages)
    if let refusal = limits.refusal(of: header) ?? generous.refusal(of: sensor) {
      throw RenderFailure(code: .limitExceeded, stage: .header, detail: refusal)
    }
  }

  /// What was developed: pixels that are valid while this picture is there, and what they mean.
  struct Developed: ~Copyable {
    var image: PipelineImage
    var colour: SourceColour
    var damage: [String]
  }

  /// Decodes the sensor's data, white-balanced as the camera did and linear, into memory.
  func develop(isStrict: Bool) throws(RenderFailure) -> Developed {
    // LibRaw lets go of everything when decoding fails, so each try has a file of its own.
    self.file = nil
    var file = try Self.open(descriptor, content, isStrict: isStrict)
    let damage = try file.develop(content, isStrict: isStrict)
    let info = file.info
    let colour = SourceColour(raw: RAWColour.space(of: info))
    let full = Float(65_535 / RAWColour.gain(of: info))
    let samples = unsafe file.withSamples { samples -> UnsafeRawBufferPointer in
      unsafe RAWHighlights.blend(samples, full: full, isGrey: info.colours == 1)
      return UnsafeRawBufferPointer(samples)
    }
    self.file = consume file
    guard let samples = unsafe samples else {
      throw RenderFailure(
        code: .unreadable, stage: .decode, detail: "\(content.name) without sensor data")
    }
    do throws(LibraryError) {
      let image = try unsafe PipelineImage(
        over: samples, size: PixelSize(width: info.width, height: info.height), bands: 4,
        format: MINILAB_FORMAT_UINT16)
      image.setResolution(72 / 25.4)
      return Developed(image: image, colour: colour, damage: damage)
    } catch {
      throw FailureText.rendering(error, messages: [], stage: .decode)
    }
  }
}

extension RAWInfo {
  func captured(_ entries: [EXIFEntry]) -> String? {
    let group = EXIFEntry.exif
    return CaptureDate.text(
      date: entries.text(0x9003, in: group), fraction: entries.text(0x9291, in: group),
      offset: entries.text(0x9011, in: group))
      ?? CaptureDate.text(date: captured, fraction: nil, offset: nil)
  }

  fileprivate var notes: [String] {
    var notes = [
      "RAW: the sensor's data by LibRaw \(RAWFile.version), "
        + (hasCameraWhite
          ? "white balance as shot" : "white balance for daylight, since the file has none")
    ]
    if !hasCameraMatrix, colours > 1 {
      notes.append("RAW: the colours of this camera are not known; they are taken for sRGB")
    }
    return notes
  }
}

extension SourceColour {
  fileprivate init(raw space: RGBSpace) {
    self.init(
      layout: PixelLayout(sample: .uint16, bands: 4, alpha: .none, space: space),
      profileName: space.name)
    substitute = .displayP3
  }
}
