import JSONText
import RenderModel

/// Where to point at when a job's id or names are wrong, the first that is there.
private let idKeys = ["id", "asset", "assetBytes", "assets"]
private let outputKeys = ["output", "renditions", "asset", "assetBytes", "assets"]

extension CheckPass {
  func checkAgainstOthers(
    _ job: Job, _ number: UInt32, _ names: JobNamer.Names, _ element: ManifestSource.Element,
    _ findings: inout Findings
  ) throws {
    let isSound = findings.isEmpty
    let clash = try register.insertID(of: job, number: number) { try earlier($0) }
    if let clash {
      rejections.insertTakenID(number)
      findings.add(
        words(clash, job), at: element.offset(of: idKeys), field: element.field(of: idKeys))
    }
    // A job with mistakes of its own has not the names that it would have without them.
    guard isSound else { return }
    for refusal in names.refusals {
      findings.add(
        refusal, at: element.offset(of: outputKeys), field: element.field(of: outputKeys))
    }
    // Under an id that stands twice the names do as well; once is enough to say so.
    guard clash == nil else { return }
    for clash in try register.insertOutputs(
      names.usable, of: job, number: number, earlier: { try earlier($0) })
    {
      findings.add(
        words(clash, job), at: element.offset(of: outputKeys), field: element.field(of: outputKeys))
    }
  }

  /// An earlier job, read again.
  private func earlier(_ number: UInt32) throws -> Job? {
    if let remembered, remembered.number == number { return remembered.job }
    let job = try places.place(of: number).flatMap { (place) throws(ManifestError) in
      try source.job(number: number, at: place)
    }
    remembered = (number, job)
    return job
  }

  /// What the file system says about the paths of a job.
  func checkPaths(
    _ job: Job, _ names: JobNamer.Names, _ element: ManifestSource.Element,
    _ findings: inout Findings
  ) {
    let assetKeys = ["asset", "assetBytes", "assets"]
    if let fault = survey.fault(ofAsset: job.asset) {
      findings.add(
        "\"\(job.asset.displayed)\" \(fault)", at: element.offset(of: assetKeys),
        field: element.field(of: assetKeys))
    }
    if case .file(let record) = job.adjustment, let fault = survey.fault(ofRecord: record) {
      findings.add(
        "\"\(record.displayed)\" \(fault)", at: element.offset(of: ["adjustment"]),
        field: element.field(of: ["adjustment"]))
    }
    checkFilterFiles(job, element, &findings)
    for name in names.usable {
      guard let fault = survey.fault(ofOutput: name.path) else { continue }
      findings.add(
        "the output \"\(name.path.displayed)\" \(fault)", at: element.offset(of: outputKeys),
        field: element.field(of: outputKeys))
    }
  }

  private func place(of number: UInt32) -> String {
    guard let place = places.place(of: number) else { return "an earlier job" }
    let job = number == place.firstJob ? nil : try? earlier(number)
    let asset = job.map { " (\"\($0.asset.displayed)\")" } ?? ""
    guard let text = source.text else {
      return (try? earlier(number)).map { "\"\($0.asset.displayed)\"" } ?? "an earlier file"
    }
    if text.isLines { return "the job in line \(place.line)\(asset)" }
    return "jobs[\(place.position)] in line \(text.line(ofElement: place.position))\(asset)"
  }

  private func words(_ clash: JobRegister.Clash, _ job: Job) -> String {
    let id = DisplayText.escaped(job.id)
    switch clash {
    case .id(let other):
      return "the id \"\(id)\" is taken by \(place(of: other)); each job needs an id of its own"
    case .output(let path, let owner, let other):
      return
        "the output \"\(path.displayed)\" (\(DisplayText.escaped(owner))) is one file with an output "
        + "of \(place(of: other)); {directory}, {sourceExtension} or {job} in the template tell "
        + "such assets apart"
    case .own(let path, let first, let second):
      return
        "\(DisplayText.escaped(first)) and \(DisplayText.escaped(second)) would both be "
        + "\"\(path.displayed)\"; {rendition} in the template tells them apart"
    case .original(let path, _):
      return
        "the output \"\(path.displayed)\" would replace an original; choose another template or "
        + "output folder"
    }
  }
}

extension ManifestSource.Element {
  /// The first of some keys that the element has; nil when it has none.
  private func member(of keys: [String]) -> (key: String, value: JSONValue)? {
    for key in keys {
      if let value = value?[key] { return (key, value) }
    }
    return nil
  }

  func field(of keys: [String]) -> String { member(of: keys)?.key ?? "" }

  func offset(of keys: [String]) -> Int {
    member(of: keys)?.value.offset ?? value?.offset ?? raw.text.startIndex
  }
}
