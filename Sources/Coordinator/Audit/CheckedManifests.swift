import Manifest
import RenderModel
import SystemSupport

/// Manifests that were found right, for commands that ask what their jobs make.
struct CheckedManifests {
  let sources: [ManifestSource]
  /// Jobs of all of them.
  let jobCount: Int
  let entries: [RunSummary.ManifestEntry]

  private static let namedProblems = 20

  /// Refuses manifests with problems; no header is read, since no order matters here.
  static func open(
    _ paths: [String], _ given: ManifestOptions, output: Directory, caseInsensitive: Bool,
    isStopped: @escaping @Sendable () -> Bool
  ) throws -> CheckedManifests {
    var options = given
    options.outputRoot = output
    options.caseInsensitiveOutput = caseInsensitive
    options.captureDates = { paths in paths.map { _ in nil } }
    options.isStopped = isStopped
    var sources: [ManifestSource] = []
    var jobs = 0
    for path in paths {
      let source = try ManifestSource(path: path, options: options)
      let check = try source.check()
      guard check.isValid else {
        let shown = check.problems.prefix(namedProblems).map(\.description)
        let more = check.problems.count - shown.count + check.problemsOmitted
        throw LedgerAccess.Refusal(
          status: .manifestInvalid,
          words: (shown + (more > 0 ? ["and \(more) more problems"] : [])).joined(separator: "\n"))
      }
      jobs += check.jobCount
      sources.append(source)
    }
    return CheckedManifests(
      sources: sources, jobCount: jobs,
      entries: paths.map { RunSummary.ManifestEntry(path: DisplayText.escaped($0), sha256: nil) })
  }

  /// Gives out the jobs of all manifests in their order; false stops.
  func forEachJob(_ body: (Job, ManifestSource) throws -> Bool) throws {
    var goesOn = true
    for source in sources where goesOn {
      try source.jobs { line in
        if case .job(let job) = line { goesOn = try body(job, source) }
        return goesOn
      }
    }
  }
}
