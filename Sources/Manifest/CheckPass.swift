import RenderModel
import SystemSupport

/// One reading of a manifest that finds what is wrong with it.
final class CheckPass {
  let source: ManifestSource
  private(set) var result = ManifestCheck()
  var rejections = Rejections()
  var register: JobRegister
  var survey: PathSurvey
  var records: RecordSurvey
  let namer: JobNamer
  var places = JobPlaces()
  private var jobs: UInt32 = 0
  /// The earlier job that was last read again: the next clash is often with the same.
  var remembered: (number: UInt32, job: Job?)?

  init(_ source: ManifestSource) {
    self.source = source
    namer = JobNamer(source.options)
    survey = PathSurvey(
      library: source.library, output: source.options.outputRoot,
      reportsMissing: source.options.reportsRecordFaults)
    records = RecordSurvey(library: source.library)
    register = JobRegister(
      namer, sharesFolder: Self.areSame(source.library, source.options.outputRoot))
    for problem in source.text?.problems ?? [] { result.add(problem, failsOnlyItsJob: false) }
  }

  private static func areSame(_ left: Directory?, _ right: Directory?) -> Bool {
    guard let left = left.flatMap({ try? FileStatus(of: $0.descriptor) }),
      let right = right.flatMap({ try? FileStatus(of: $0.descriptor) })
    else { return false }
    return left.inode == right.inode && left.device == right.device
  }

  /// Whether as many jobs are counted as will be given out; the others are checked all the same.
  private var isFull: Bool {
    source.options.limit.map { result.jobCount + result.invalidCount >= $0 } ?? false
  }

  func take(_ element: ManifestSource.Element) throws {
    try refuseStopped()
    switch element.entry {
    case nil:
      report(element.findings, element)
      if !isFull { result.invalidCount += 1 }
    case .job(let id, let asset, let settings):
      places.append(
        JobPlaces.Place(
          position: element.raw.position, line: element.raw.line, firstJob: jobs))
      var findings = element.findings
      try take(source.resolve(settings).job(id: id, asset: asset), element, &findings)
    case .selection(let selection, let settings):
      try take(selection, settings, element)
    }
  }

  private func take(
    _ selection: Selection, _ settings: JobSettings, _ element: ManifestSource.Element
  ) throws {
    var findings = element.findings
    var listing: FolderListing?
    if findings.isEmpty {
      switch source.listing(of: selection, at: element.raw.position) {
      case .success(let files): listing = files
      case .failure(let fault):
        try refuseStopped()
        findings.add(
          fault.message, at: element.offset(of: ["assets"]), field: element.field(of: ["assets"]))
      }
    }
    guard let listing else {
      report(findings, element)
      if !isFull { result.invalidCount += 1 }
      return
    }
    places.append(
      JobPlaces.Place(position: element.raw.position, line: element.raw.line, firstJob: jobs))
    let resolved = source.resolve(settings)
    try listing.forEach { item, fate in
      if fate == .asset {
        var findings = Findings()
        try take(source.job(item, resolved), element, &findings)
      } else if !isFull {
        result.skippedCount += 1
      }
      return true
    }
  }

  private func take(
    _ job: Job, _ element: ManifestSource.Element, _ findings: inout Findings
  ) throws {
    guard jobs < UInt32.max - 1 else { throw ManifestError.tooManyJobs(path: source.path) }
    if jobs % 64 == 63 { try refuseStopped() }
    let number = jobs
    jobs += 1
    let wasRight = findings.isEmpty
    let names = namer.names(of: job)
    try checkAgainstOthers(job, number, names, element, &findings)
    if wasRight { checkPaths(job, names, element, &findings) }
    if let first = findings.list.first, wasRight {
      rejections.insert(number, source.problem(first, in: element.raw))
    }
    report(findings, element)
    if isFull { return }
    if findings.isEmpty { result.jobCount += 1 } else { result.invalidCount += 1 }
  }

  private func refuseStopped() throws {
    if source.options.isStopped?() == true { throw ManifestError.stopped(path: source.path) }
  }

  private func report(_ findings: Findings, _ element: ManifestSource.Element) {
    for finding in findings.list {
      result.add(
        source.problem(finding, in: element.raw),
        failsOnlyItsJob: source.options.invalidJobs == .failJob)
    }
  }
}
