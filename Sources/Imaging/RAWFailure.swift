import CImagingShim
import RenderModel

/// What LibRaw said of a call.
struct RAWFailure: Hashable, Sendable {
  enum Part: Hashable, Sendable { case header, sensor, preview }

  var status: minilab_raw_status
  /// Places where the data made no sense.
  var errors: Int
  /// Bytes that were asked for behind the end of the file.
  var missing: Int
  var text: String
  var part: Part

  /// Some decoders look a little ahead at the end of a whole file.
  private static let lookAhead = 64

  init(_ record: minilab_raw_failure, reading part: Part) {
    var record = record
    status = record.status
    errors = Int(record.errors)
    missing = Int(record.missing)
    text = unsafe withUnsafeBytes(of: &record.text) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.part = part
  }

  var isCutOff: Bool { missing > (status == MINILAB_RAW_FINE ? Self.lookAhead : 0) }

  /// Whether pixels came out although not all of the data was there or made sense.
  var isDamage: Bool { isCutOff || errors > 0 }

  func described(_ content: ContentType, stage: RenderStage) -> RenderFailure {
    let name = content.name
    let library = "LibRaw \(RAWFile.version)"
    switch status {
    case MINILAB_RAW_UNSUPPORTED where part == .preview:
      return RenderFailure(
        code: .unsupportedType, stage: stage,
        detail: "\(name) without a JPEG preview inside; leave out rawSource to render the sensor's "
          + "data")
    case MINILAB_RAW_UNSUPPORTED:
      return RenderFailure(
        code: .unsupportedType, stage: stage,
        detail: "this is \(name) of a kind that \(library) does not read, or only its beginning")
    case MINILAB_RAW_NO_MEMORY:
      return RenderFailure(
        code: .memory, stage: stage, detail: "\(library) has not got the memory for \(name)")
    case MINILAB_RAW_TOO_BIG:
      return RenderFailure(
        code: .limitExceeded, stage: stage,
        detail: "\(name) whose sensor data takes more memory than is allowed for it")
    case _ where isCutOff || part == .preview && status == MINILAB_RAW_DAMAGED:
      return RenderFailure(
        code: .truncated, stage: stage,
        detail: "\(name) that is cut off: "
          + (part == .preview
            ? "its preview lies behind the end of the file"
            : "the sensor's data goes on behind the end of the file"))
    case _ where part == .header:
      return RenderFailure(
        code: .unreadable, stage: stage,
        detail: "\(name) whose header makes no sense, or goes on behind the end of the file")
    default:
      return RenderFailure(
        code: .unreadable, stage: stage,
        detail: "\(name) that is damaged: "
          + (errors > 0
            ? "the sensor's data makes no sense in \(errors) places"
            : DisplayText.escaped(text)))
    }
  }
}
