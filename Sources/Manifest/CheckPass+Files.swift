import Adjustments
import JSONText
import RenderModel

extension CheckPass {
  /// What is wrong with a job's record in a file, and with the LUTs, masks and overlays of any record.
  func checkFilterFiles(
    _ job: Job, _ element: ManifestSource.Element, _ findings: inout Findings
  ) {
    checkProfiles(job, element, &findings)
    let keys = ["adjustment"]
    switch job.adjustment {
    case .none, .sidecar: return
    case .file(let record):
      for words in words(for: record) {
        findings.add(
          "\"\(record.displayed)\": \(words)", at: element.offset(of: keys),
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

  private func checkProfiles(
    _ job: Job, _ element: ManifestSource.Element, _ findings: inout Findings
  ) {
    for (index, output) in job.outputs.enumerated() {
      guard let name = output.rendition.profile,
        let fault = survey.fault(ofFilterFile: name, of: nil)
      else { continue }
      // Those of the defaults have no place among the job's own members.
      let field = element.field(of: ["renditions"])
      findings.add(
        "the profile \"\(DisplayText.escaped(name))\" \(fault)",
        at: element.offset(of: ["renditions"]),
        field: field.isEmpty ? field : "\(field)[\(index)].colorSpace.profile")
    }
  }

  private func words(for record: RelativePath) -> [String] {
    switch records.content(of: record) {
    case .files(let files):
      return files.compactMap { file in
        survey.fault(ofFilterFile: file.name, of: record).map {
          "\(file.field): the file \"\(DisplayText.escaped(file.name))\" \($0)"
        }
      }
    case .invalid(let problems):
      // In a run only the jobs that take it fail.
      guard source.options.reportsRecordFaults else { return [] }
      return problems
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
