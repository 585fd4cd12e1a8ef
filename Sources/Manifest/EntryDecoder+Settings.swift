import JSONText
import RenderModel

extension EntryDecoder {
  mutating func settings(_ value: JSONValue) -> JobSettings {
    var settings = JobSettings()
    guard let members = value.object else { return settings }
    for member in members {
      let value = member.value
      switch member.key {
      case "deadline": settings.deadline = deadline(value)
      case "adjustment": takeAdjustment(value, &settings)
      case "renditions": settings.renditions = renditions(value)
      case "output": settings.output = template(value, for: .rendition, field: "output")
      case "report": settings.report = template(value, for: .report, field: "report")
      case "tolerant": settings.tolerant = value.bool
      case "rawSource": settings.rawSource = value.string.flatMap(RAWSource.init)
      case "limits":
        settings.pixels = value["pixels"]?.number?.integer
        settings.side = value["side"]?.number?.integer
        settings.pages = value["pages"]?.number?.integer
        settings.inputBytes = value["inputBytes"]?.number?.integer
      case "onKept": settings.onKept = value.string.flatMap(Job.OnKept.init)
      default: break
      }
    }
    return settings
  }

  private func deadline(_ value: JSONValue) -> DeadlinePolicy {
    var policy = DeadlinePolicy()
    let base = value.object == nil ? value : value["base"]
    if let milliseconds = base?.string.flatMap(DurationText.parse) {
      policy.baseMilliseconds = milliseconds
    }
    if let milliseconds = value["perMegapixel"]?.string.flatMap(DurationText.parse) {
      policy.perMegapixelMilliseconds = milliseconds
    }
    return policy
  }

  private mutating func takeAdjustment(_ value: JSONValue, _ settings: inout JobSettings) {
    guard value.object != nil else {
      settings.adjustment = adjustment(value)
      return
    }
    guard let (record, files) = within("adjustment", { $0.record(value) }) else { return }
    settings.adjustment = .record(record)
    settings.recordFiles = files
  }

  private mutating func adjustment(_ value: JSONValue) -> Job.AdjustmentSource? {
    switch value.string {
    case nil, "": return nil
    case "sidecar": return .sidecar
    case "none": return Job.AdjustmentSource.none
    case let text?:
      guard let path = path(Array(text.utf8), at: value, field: "adjustment") else { return nil }
      guard RecordNames.isRecordName(path) else {
        let near = Spelling.hint(text, among: ["sidecar", "none"])
        findings.add(
          "\"sidecar\", \"none\", a record, or the path of one ("
            + RecordNames.recordExtensions.map { "." + $0 }.joined(separator: ", ")
            + ") is wanted" + near, at: value.offset, field: "adjustment")
        return nil
      }
      return .file(path)
    }
  }

  /// A template, its mistakes found at their place inside the text.
  mutating func template(_ value: JSONValue, for purpose: OutputTemplate.Purpose, field: String)
    -> OutputTemplate?
  {
    guard let string = value.string, !string.isEmpty else { return nil }
    do {
      return try OutputTemplate.parse(string, for: purpose)
    } catch {
      let place = JSONParser.offset(ofByte: error.offset, of: value, in: text)
      findings.add(error.message, at: place, field: field)
      return nil
    }
  }
}

/// File names that say that a file is an adjustment record and no asset.
enum RecordNames {
  static let recordExtensions = ["json", "aae", "xmp", "pp3", "cube"]

  static func isRecordName(_ path: RelativePath) -> Bool {
    let suffix = String(decoding: path.pathExtension, as: UTF8.self).lowercased()
    return recordExtensions.contains(suffix)
  }
}
