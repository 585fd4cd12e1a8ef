import RenderModel

/// The output names of jobs as far as they are known before the pictures are opened.
struct JobNamer: Sendable {
  /// One name of a job's set.
  struct Name: Equatable {
    /// The rendition's name, or `report`.
    var owner: String
    var path: RelativePath
    var key: OutputName.CollisionKey
  }

  private let caseInsensitive: Bool
  private let normalizationInsensitive: Bool

  init(_ options: ManifestOptions) {
    caseInsensitive = options.caseInsensitiveOutput
    normalizationInsensitive = options.normalizationInsensitiveOutput
  }

  /// The names of a job's set, and what keeps others from being names.
  struct Names {
    var usable: [Name] = []
    /// Wrong whatever the file system is. A name that is too long is not: that job fails by itself.
    var refusals: [String] = []
  }

  /// Leaves out what is known only when the picture has been opened.
  func names(of job: Job) -> Names {
    var result = Names()
    for output in job.outputs {
      add(output.template, output.rendition, output.rendition.name, job, &result)
    }
    if let report = job.reportTemplate, let first = job.outputs.first {
      add(report, first.rendition, "report", job, &result)
    }
    return result
  }

  private func add(
    _ template: OutputTemplate, _ rendition: Rendition, _ owner: String, _ job: Job,
    _ names: inout Names
  ) {
    guard template.isKnownBefore else { return }
    let values = OutputTemplate.Values(
      job: job.id, asset: job.asset, rendition: rendition.name, type: rendition.type)
    switch template.path(values) {
    case .success(let path):
      names.usable.append(Name(owner: owner, path: path, key: key(path)))
    case .failure(let failure):
      switch failure {
      case .badComponent, .stateFolder: names.refusals.append(failure.message)
      case .nameTooLong, .pathTooLong, .unknown: break
      }
    }
  }

  func key(_ path: RelativePath) -> OutputName.CollisionKey {
    OutputName.collisionKey(
      path, caseInsensitive: caseInsensitive, normalizationInsensitive: normalizationInsensitive)
  }
}
