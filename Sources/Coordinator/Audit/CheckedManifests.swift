import Manifest
import RenderModel
import SystemSupport

/// Manifests that were found right, for commands that ask what their jobs make.
struct CheckedManifests {
  let slices: [ManifestSlice]

  /// Jobs of all of them.
  var jobCount: Int { slices.reduce(0) { $0 + $1.check.jobCount } }
  var entries: [RunSummary.ManifestEntry] { slices.map(\.entry) }

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
    var slices: [ManifestSlice] = []
    for path in paths {
      let slice = try ManifestSlice(ManifestSource(path: path, options: options), path: path)
      let check = slice.check
      guard check.isValid else {
        let shown = check.problems.prefix(namedProblems).map(\.description)
        let more = check.problems.count - shown.count + check.problemsOmitted
        throw LedgerAccess.Refusal(
          status: .manifestInvalid,
          words: (shown + (more > 0 ? ["and \(more) more problems"] : [])).joined(separator: "\n"))
      }
      slices.append(slice)
    }
    if let words = try ManifestClash.find(
      in: slices, caseInsensitive: caseInsensitive, isStopped: isStopped)
    {
      throw LedgerAccess.Refusal(status: .manifestInvalid, words: words)
    }
    return CheckedManifests(slices: slices)
  }

  /// Gives out the jobs of all manifests in their order; false stops.
  func forEachJob(_ body: (Job, ManifestSource) throws -> Bool) throws {
    var goesOn = true
    for slice in slices where goesOn {
      try slice.source.jobs { line in
        if case .job(let job) = line { goesOn = try body(job, slice.source) }
        return goesOn
      }
    }
  }
}
