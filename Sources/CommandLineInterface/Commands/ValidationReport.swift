import JSONText
package import Manifest

/// What the check of some manifests found.
package struct ValidationReport: Sendable {
  package enum Result: Sendable, Equatable {
    case checked(ManifestCheck)
    /// One sentence, safe to show.
    case unreadable(String)
  }

  package struct Entry: Sendable, Equatable {
    package var path: HostPath
    package var finding: Result
  }

  package let entries: [Entry]

  package init(paths: [HostPath], options: ManifestOptions) {
    entries = paths.map { path in
      do throws(ManifestError) {
        let check = try ManifestSource(path: path.text, options: options).check()
        return Entry(path: path, finding: .checked(check))
      } catch {
        return Entry(path: path, finding: .unreadable(error.description))
      }
    }
  }

  package var isValid: Bool {
    entries.allSatisfy { entry in
      guard case .checked(let check) = entry.finding else { return false }
      return check.isValid
    }
  }

  /// A line for each problem, and one for each manifest without any.
  package var text: String {
    entries.map { entry in
      guard case .checked(let check) = entry.finding else { return "" }
      if check.isValid {
        let jobs = check.jobCount == 1 ? "1 job" : "\(check.jobCount) jobs"
        return "\(entry.path.displayed): \(jobs), no problems\n"
      }
      let more = check.problemsOmitted
      return check.problems.map { $0.description + "\n" }.joined()
        + (more == 0 ? "" : "\(entry.path.displayed): and \(more) more problems\n")
    }.joined()
  }

  /// One JSON object.
  package var json: String {
    let manifests = entries.map(Self.json).joined(separator: ",")
    return "{\"valid\":\(isValid),\"manifests\":[\(manifests)]}\n"
  }

  private static func json(of entry: Entry) -> String {
    let path = JSONEscaping.literal(entry.path.text)
    switch entry.finding {
    case .unreadable(let reason):
      return "{\"path\":\(path),\"error\":\(JSONEscaping.literal(reason))}"
    case .checked(let check):
      let problems = check.problems.map(json).joined(separator: ",")
      return "{\"path\":\(path),\"valid\":\(check.isValid),\"jobs\":\(check.jobCount),"
        + "\"problems\":[\(problems)],\"problemsOmitted\":\(check.problemsOmitted)}"
    }
  }

  private static func json(of problem: ManifestProblem) -> String {
    "{\"file\":\(JSONEscaping.literal(problem.file)),\"line\":\(problem.line),"
      + "\"column\":\(problem.column),\"field\":\(JSONEscaping.literal(problem.field)),"
      + "\"message\":\(JSONEscaping.literal(problem.message))}"
  }
}
