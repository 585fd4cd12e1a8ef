import JSONText
import RenderModel

extension CheckPass {
  /// What the file system says about the LUTs, masks and overlays of a job's record.
  func checkFilterFiles(
    _ job: Job, _ element: ManifestSource.Element, _ findings: inout Findings
  ) {
    let keys = ["adjustment"]
    switch job.adjustment {
    case .none, .sidecar: return
    case .file(let record):
      for file in records.files(of: record) {
        guard let fault = survey.fault(ofFilterFile: file.name, of: record) else { continue }
        findings.add(
          "\"\(record.displayed)\": \(file.field): the file "
            + "\"\(DisplayText.escaped(file.name))\" \(fault)", at: element.offset(of: keys),
          field: element.field(of: keys))
      }
    case .record:
      for file in recordFiles(of: element) {
        guard let fault = survey.fault(ofFilterFile: file.name, of: nil) else { continue }
        let words = "the file \"\(DisplayText.escaped(file.name))\" \(fault)"
        if let data = element.value?["adjustment"]?["data"] {
          findings.add(
            words, at: data.descendant(at: file.field).offset,
            field: "adjustment.data.\(file.field)")
        } else {
          // The record is that of the defaults.
          findings.add(
            "\(file.field): \(words)", at: element.offset(of: keys),
            field: element.field(of: keys))
        }
      }
    }
  }

  private func recordFiles(of element: ManifestSource.Element) -> [NamedFile] {
    switch element.entry {
    case .job(_, _, let settings), .selection(_, let settings):
      settings.recordFiles(over: source.defaults)
    case nil: []
    }
  }
}

extension JSONValue {
  /// The value at a path such as `filters[2].path`, or the last on the way that is there.
  func descendant(at field: String) -> JSONValue {
    var value = self
    for step in field.split(whereSeparator: { $0 == "." || $0 == "[" }) {
      let next: JSONValue?
      if step.last == "]", let index = Int(step.dropLast()) {
        next = value.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      } else {
        next = value[String(step)]
      }
      guard let next else { return value }
      value = next
    }
    return value
  }
}
