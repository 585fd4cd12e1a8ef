/// The moment of capture as EXIF tells it.
enum CaptureDate {
  /// `YYYY-MM-DDThh:mm:ss`, with the fraction and the offset when they are there; nil when absent.
  static func read(_ image: borrowing PipelineImage) -> String? {
    text(
      date: value(image, "exif-ifd2-DateTimeOriginal"),
      fraction: value(image, "exif-ifd2-SubSecTimeOriginal"),
      offset: value(image, "exif-ifd2-OffsetTimeOriginal"))
  }

  static func text(date: String?, fraction: String?, offset: String?) -> String? {
    guard let date, let moment = moment(Array(date.utf8)) else { return nil }
    var result = moment
    let digits = (fraction ?? "").prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty { result += "." + digits }
    if let offset, isOffset(Array(offset.utf8)) { result += offset }
    return result
  }

  /// `2019:05:04 12:00:00`, not the zeros or spaces that stand for unknown.
  private static func moment(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 19 else { return nil }
    let pattern = Array("dddd:dd:dd dd:dd:dd".utf8)
    for (index, kind) in pattern.enumerated() {
      let isDigit = (0x30...0x39).contains(bytes[index])
      if kind == UInt8(ascii: "d") ? !isDigit : bytes[index] != kind { return nil }
    }
    var text = Array(bytes[..<19])
    text[4] = UInt8(ascii: "-")
    text[7] = UInt8(ascii: "-")
    text[10] = UInt8(ascii: "T")
    let result = String(decoding: text, as: UTF8.self)
    return result.hasPrefix("0000") ? nil : result
  }

  private static func isOffset(_ bytes: [UInt8]) -> Bool {
    bytes.count == 6 && [0x2B, 0x2D].contains(bytes[0]) && bytes[3] == UInt8(ascii: ":")
      && [1, 2, 4, 5].allSatisfy { (0x30...0x39).contains(bytes[$0]) }
  }

  /// The library shows a field as `text (text, ASCII, 20 components, 20 bytes)`.
  private static func value(_ image: borrowing PipelineImage, _ field: String) -> String? {
    guard let shown = image.text(field) else { return nil }
    guard let end = shown.firstRange(of: " (") else { return shown }
    return String(shown[..<end.lowerBound])
  }
}
