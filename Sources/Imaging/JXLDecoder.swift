import CImagingShim
import ColourEngine
import RenderModel

/// A JPEG XL file: the first frame, as the codestream's orientation shows it.
///
/// ISO/IEC 18181-2 has the codestream decide how the picture lies, whatever EXIF says.
final class JXLDecoder: PictureDecoder {
  let losses: [String]
  let decodesWhole = true
  private let file: FileBytes
  private let header: JXLHeader
  private let isCutOff: Bool

  init(_ file: consuming FileBytes) throws(LibraryError) {
    isCutOff = Self.isCutOff(file)
    do throws(LibraryError) {
      header = try JXLHeader(file)
    } catch {
      throw isCutOff ? LibraryError(text: "unexpected end of file") : error
    }
    losses = header.losses
    self.file = file
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    if isStrict && isCutOff { throw LibraryError(text: "unexpected end of file") }
    let format = header.format
    let bands = header.bands
    let size = header.size
    let image = try PipelineImage(
      decoded: minilab_form(
        width: Int32(clamping: size.width), height: Int32(clamping: size.height),
        bands: Int32(bands), format: format,
        model: format == MINILAB_FORMAT_FLOAT
          ? MINILAB_MODEL_LINEAR_RGB : bands < 3 ? MINILAB_MODEL_GREY : MINILAB_MODEL_RGB)
    ) { [self] rows throws(LibraryError) in
      try decode(rows, size: size, bands: bands, format: format, isStrict: isStrict)
    }
    let result = try image.copy()
    if let exif = header.exif { result.setEXIF(exif) }
    if let xmp = header.xmp { result.set("xmp-data", to: xmp) }
    if let profile = header.profile { result.set(profileField, to: profile) }
    if let coded = header.coded { result.setCoded(coded) }
    if header.isAnimated { result.set("n-pages", to: 2) }
    result.set("orientation", to: 1)
    return result
  }

  private func decode(
    _ rows: SampleRows, size: PixelSize, bands: Int, format: minilab_format, isStrict: Bool
  ) throws(LibraryError) {
    let unit = format == MINILAB_FORMAT_UINT8 ? 1 : format == MINILAB_FORMAT_UINT16 ? 2 : 4
    let count = size.pixels * bands * unit
    let failure = unsafe file.withBytes { bytes in
      Result { () throws(LibraryError) in
        try unsafe LibraryError.status { record in
          unsafe minilab_jxl_decode(
            bytes.baseAddress, bytes.count, Int32(bands), format, isStrict ? 1 : 0, rows.start,
            count, record)
        }
      }
    }
    try failure.get()
  }

  /// Whether a box of the container is announced to be longer than the file.
  private static func isCutOff(_ file: borrowing FileBytes) -> Bool {
    guard file.count >= 12, file[0] == 0 else { return false }
    var position = 0
    while position + 8 <= file.count {
      guard let box = file.box(at: position), box.whole.upperBound <= file.count else {
        return true
      }
      position = box.whole.upperBound
    }
    return false
  }
}

/// What a JPEG XL file says before any pixel is decoded.
struct JXLHeader: Hashable, Sendable {
  var size: PixelSize
  var bands: Int
  /// A sample, as coded.
  var bits: Int
  var format: minilab_format { deepFormat }
  var losses: [String] = []
  var isAnimated: Bool
  var profile: [UInt8]?
  /// nil where the profile says all.
  var coded: CodedColour?
  /// With `Exif\0\0` in front.
  var exif: [UInt8]?
  var xmp: [UInt8]?
  private var sampleBytes: Int

  private var deepFormat: minilab_format {
    switch sampleBytes {
    case 1: MINILAB_FORMAT_UINT8
    case 2: MINILAB_FORMAT_UINT16
    default: MINILAB_FORMAT_FLOAT
    }
  }

  init(_ file: borrowing FileBytes) throws(LibraryError) {
    var header = unsafe minilab_jxl_header()
    let result = unsafe file.withBytes { bytes in
      Result { () throws(LibraryError) in
        try unsafe LibraryError.status {
          unsafe minilab_jxl_read(bytes.baseAddress, bytes.count, &header, $0)
        }
      }
    }
    try result.get()
    defer { unsafe minilab_jxl_free(&header) }
    if unsafe header.has_black != 0 {
      throw LibraryError(text: "its colours are CMYK, which is not supported in a JPEG XL")
    }
    size = unsafe PixelSize(width: Int(header.width), height: Int(header.height))
    bits = unsafe Int(header.bits)
    bands = unsafe (header.colours == 1 ? 1 : 3) + (header.has_alpha != 0 ? 1 : 0)
    isAnimated = unsafe header.is_animated != 0
    if unsafe header.primaries > 0 && header.transfer > 0 && header.transfer < 256 {
      coded = unsafe CodedColour(
        primaries: Self.primaries(header.primaries), transfer: Int(header.transfer), matrix: 0,
        fullRange: true)
    }
    profile = unsafe Self.bytes(header.profile)
    xmp = unsafe Self.bytes(header.xmp)
    exif = unsafe Self.bytes(header.exif).flatMap { EXIFBlock.fromOffset($0) }
    // Floats are light here, so they are kept only where the file means light too.
    let isLight = coded?.transfer == 8 && coded?.primaries == 1 && bands >= 3
    sampleBytes =
      unsafe header.is_float != 0 && isLight
      ? 4 : header.bits > 8 || header.is_float != 0 || header.is_converted != 0 ? 2 : 1
    if unsafe header.has_depth != 0 { losses.append("depth") }
    if unsafe header.has_other != 0 { losses.append("extraChannels") }
    if unsafe header.has_gain_map != 0 { losses.append("gainMap") }
  }

  /// 11 is Display P3 in JPEG XL, where the white is D65, and 12 in H.273.
  private static func primaries(_ number: Int32) -> Int { number == 11 ? 12 : Int(number) }

  private static func bytes(_ block: minilab_block) -> [UInt8]? {
    guard let start = unsafe block.bytes, unsafe block.length > 0 else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: start, count: block.length))
  }
}
