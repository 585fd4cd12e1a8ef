import CImagingShim
import RenderModel

/// A RAW file in memory that LibRaw has looked into.
@safe
struct RAWFile: ~Copyable {
  private let handle: OpaquePointer
  private let bytes: FileBytes
  private(set) var info: RAWInfo

  /// Reads the header; nothing of the pixels.
  init(_ bytes: consuming FileBytes, _ content: ContentType) throws(RenderFailure) {
    var info = minilab_raw_info()
    var failure = minilab_raw_failure()
    let opened = unsafe bytes.withBytes { bytes in
      unsafe minilab_raw_open(bytes.baseAddress, bytes.count, &info, &failure)
    }
    guard let opened = unsafe opened else {
      throw RAWFailure(failure, reading: .header).described(content, stage: .header)
    }
    unsafe handle = opened
    self.bytes = bytes
    self.info = RAWInfo(info)
  }

  deinit { unsafe minilab_raw_close(handle) }

  /// Develops the sensor's data; once.
  ///
  /// Gives the damage that decoding went past; with `isStrict` any is thrown.
  mutating func develop(
    _ content: ContentType, isStrict: Bool
  ) throws(RenderFailure) -> [String] {
    let isSimple = info.colours != 4
    let options = minilab_raw_options(
      keep_highlights: isSimple ? 1 : 0, output_colour: RAWColour.proPhoto,
      camera_colours: isSimple ? 1 : 0,
      adjust_maximum: info.isDNG ? 0 : Self.usualWhiteSearch,
      raw_megabytes: Self.largestSensorMegabytes, past_end: isStrict ? 0 : 1)
    var result = minilab_raw_info()
    var record = minilab_raw_failure()
    let status = unsafe minilab_raw_decode(handle, options, &result, &record)
    let failure = RAWFailure(record, reading: .sensor)
    guard status == 0 else { throw failure.described(content, stage: .decode) }
    if failure.isDamage, isStrict { throw failure.described(content, stage: .decode) }
    let expected = info
    info = RAWInfo(result)
    // Decoding was told to leave the camera's colours alone, and forgets that it knows them.
    info.hasCameraMatrix = expected.hasCameraMatrix
    guard info.width == expected.width, info.height == expected.height else {
      throw RenderFailure(
        code: .unreadable, stage: .decode,
        detail:
          "\(content.name) that became \(info.width) x \(info.height) pixels where its header "
          + "says \(expected.width) x \(expected.height)")
    }
    return failure.isDamage ? [failure.described(content, stage: .decode).detail] : []
  }

  /// The four samples of each pixel, after development.
  func withSamples<Result>(_ body: (UnsafeMutableBufferPointer<UInt16>) -> Result) -> Result? {
    guard let start = unsafe minilab_raw_samples(handle) else { return nil }
    let count = 4 * info.width * info.height
    return unsafe body(UnsafeMutableBufferPointer(start: start, count: count))
  }

  /// A copy of the largest embedded JPEG.
  func preview(_ content: ContentType) throws(RenderFailure) -> FileBytes {
    var length = 0
    var failure = minilab_raw_failure()
    guard let start = unsafe minilab_raw_preview(handle, &length, &failure), length > 0 else {
      throw RAWFailure(failure, reading: .preview).described(content, stage: .header)
    }
    guard let copy = unsafe FileBytes(copying: UnsafeRawBufferPointer(start: start, count: length))
    else {
      throw RenderFailure(
        code: .memory, stage: .header, detail: "no memory for the preview of \(content.name)")
    }
    return copy
  }

  /// What the file says of the photo, in the words of EXIF.
  var exif: [EXIFEntry] {
    var entries: [EXIFEntry] = []
    unsafe withUnsafeMutablePointer(to: &entries) { entries in
      unsafe minilab_raw_each_exif(
        handle,
        { context, entry in
          guard let context = unsafe context, let entry = unsafe entry?.pointee,
            let bytes = unsafe entry.bytes
          else { return }
          unsafe context.assumingMemoryBound(to: [EXIFEntry].self).pointee.append(
            EXIFEntry(
              group: Int(entry.group), tag: Int(entry.tag), type: Int(entry.type),
              count: Int(entry.count),
              bytes: Array(UnsafeRawBufferPointer(start: bytes, count: entry.length))))
        }, entries)
    }
    return entries
  }

  /// Without what LibRaw says of its releases after it: `0.20.2`.
  static var version: String {
    unsafe String(String(cString: minilab_raw_version()).prefix { $0 != "-" })
  }

  /// LibRaw's own default: cameras fill up a little below what its tables say.
  private static let usualWhiteSearch: Float = 0.75
  private static let largestSensorMegabytes: Int32 = 4096
}

/// What LibRaw tells of a file.
struct RAWInfo: Hashable, Sendable {
  /// As decoded, before orientation.
  var width: Int
  var height: Int
  var sensorWidth: Int
  var sensorHeight: Int
  var orientation: Int
  var colours: Int
  var frames: Int
  var isDNG: Bool
  var hasCameraWhite: Bool
  var hasCameraMatrix: Bool
  var hasXMP: Bool
  var hasMakerNote: Bool
  /// As EXIF writes it; empty when unknown.
  var captured: String
  /// After development: rows of the matrix from camera to linear sRGB.
  var toSRGB: [Double]
  /// After development: what each colour was multiplied by, the largest being 1.
  var multipliers: [Double]

  init(_ info: minilab_raw_info) {
    var info = info
    width = Int(info.width)
    height = Int(info.height)
    sensorWidth = Int(info.raw_width)
    sensorHeight = Int(info.raw_height)
    let flip = Int(info.flip)
    orientation = (0...7).contains(flip) ? [1, 2, 4, 3, 5, 8, 6, 7][flip] : 1
    colours = Int(info.colours)
    frames = Int(info.frames)
    isDNG = info.is_dng != 0
    hasCameraWhite = info.has_camera_white != 0
    hasCameraMatrix = info.has_camera_matrix != 0
    hasXMP = info.has_xmp != 0
    hasMakerNote = info.has_maker_note != 0
    captured = unsafe withUnsafeBytes(of: &info.captured) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    toSRGB = unsafe withUnsafeBytes(of: &info.to_srgb) {
      unsafe $0.bindMemory(to: Float.self).map(Double.init)
    }
    multipliers = unsafe withUnsafeBytes(of: &info.multipliers) {
      unsafe $0.bindMemory(to: Float.self).map(Double.init)
    }
  }
}
