package import RenderModel

/// What a pass over a whole manifest found.
package struct ManifestCheck: Sendable, Equatable {
  /// Problems that are listed; the others are counted.
  package static let listed = 1000

  /// Those that keep the manifest from being carried out, the first 1,000 in its order.
  package var problems: [ManifestProblem] = []
  package var problemsOmitted = 0
  /// With `InvalidJobs.failJob`, those that only make their job fail.
  package var jobProblems: [ManifestProblem] = []
  package var jobProblemsOmitted = 0
  /// Jobs that `jobs` will give out, those of selections included.
  package var jobCount = 0
  /// Jobs that are given out as invalid.
  package var invalidCount = 0
  /// Files of selections that are given out as skipped.
  package var skippedCount = 0

  package init() {}

  /// Whether the manifest may be carried out.
  package var isValid: Bool { problems.isEmpty }

  mutating func add(_ problem: ManifestProblem, failsOnlyItsJob: Bool) {
    switch (failsOnlyItsJob, problems.count, jobProblems.count) {
    case (false, ..<Self.listed, _): problems.append(problem)
    case (false, _, _): problemsOmitted += 1
    case (true, _, ..<Self.listed): jobProblems.append(problem)
    case (true, _, _): jobProblemsOmitted += 1
    }
  }
}

/// What a manifest gives out, in its order.
package enum JobLine: Sendable {
  case job(Job)
  /// A job that cannot be done as it is written; the first of its problems.
  case invalid(id: String, problem: ManifestProblem)
  /// A file that a selection passes over.
  case skipped(asset: RelativePath, reason: String)
}
