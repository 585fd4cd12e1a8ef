package import RenderModel

/// What there is to say of one job that was to be adopted: a line of `minilab adopt`.
///
/// The member names are a published interface (`docs/schemas/adoption-line.schema.json`).
package struct AdoptionRemark: Sendable, Codable, Equatable {
  package enum Kind: String, Sendable, Codable { case refused, unchecked }

  /// Why outputs are not accepted.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// The ledger knows the job's outputs already, and they are to be rendered again.
    case alreadyKnown
    /// A render would not publish either: the record is unknown, a file is missing.
    case notRenderable
    case originalUnreadable
    case outputMissing
    case outputUnreadable
    case wrongType
    case wrongSize
    /// Older than its original, its record or a file of its filters.
    case outputOlder
    /// Its name depends on what only a render can tell, or is no name.
    case nameUnknown
    /// Another job has the same name.
    case nameTaken
    /// The file is the original.
    case isOriginal
    /// A file was written to while it was looked at.
    case changed
  }

  package var schema = 1
  package var kind: Kind
  package var job: String
  /// nil unless refused.
  package var code: Code?
  /// The file that is meant; nil when it is the job as a whole.
  package var path: String?
  package var pathBytes: String?
  /// One sentence for a person.
  package var detail: String

  package init(
    _ kind: Kind, job: String, code: Code? = nil, path: RelativePath? = nil, detail: String
  ) {
    self.kind = kind
    self.job = job
    self.code = code
    self.path = path?.string
    pathBytes = path.flatMap { $0.string == nil ? Base64.encode($0.bytes) : nil }
    self.detail = detail
  }

  /// One line for a person, safe to show, without a newline.
  package var line: String {
    let word = code?.rawValue ?? kind.rawValue
    let space = String(repeating: " ", count: max(1, 20 - word.count))
    let file = JobReport.path(path, pathBytes).map { "\($0.displayed): " } ?? ""
    return word + space + DisplayText.escaped(job) + ": " + file + DisplayText.escaped(detail)
  }
}

/// The account of one adoption: the last line of `minilab adopt`.
package struct AdoptionSummary: Sendable, Codable, Equatable {
  package var schema = 1
  package var kind = "adoption"
  /// The run that the reports are in; nil when nothing was written.
  package var run: String?
  package var dryRun: Bool
  /// UTC, ISO 8601.
  package var started: String
  package var finished: String
  /// Jobs of the manifests.
  package var jobs: Int
  package var adopted = 0
  /// Jobs whose outputs the ledger knows and finds up to date.
  package var fresh = 0
  /// How many jobs were refused, by the code.
  package var refused: [String: Int] = [:]
  /// Adopted jobs with an output whose size could not be told from the original's header.
  package var unchecked = 0
  package var interrupted = false
  package var exitStatus: Int32 = 0

  package init(started: String, dryRun: Bool, jobs: Int) {
    self.started = started
    finished = started
    self.dryRun = dryRun
    self.jobs = jobs
  }

  package var refusedCount: Int { refused.values.reduce(0, +) }

  package mutating func end(at time: String, interrupted: Bool) {
    finished = time
    self.interrupted = interrupted
    let status: ExitStatus = interrupted ? .interrupted : refused.isEmpty ? .success : .someFailed
    exitStatus = status.rawValue
  }

  /// For a person. Ends with a newline.
  package var text: String {
    var parts = ["\(adopted) \(dryRun ? "can be adopted" : "adopted")"]
    if fresh > 0 { parts.append("\(fresh) up to date already") }
    if refusedCount > 0 { parts.append("\(refusedCount) refused") }
    var lines = ["\(jobs) \(jobs == 1 ? "job" : "jobs"): " + parts.joined(separator: ", ")]
    if unchecked > 0 {
      lines.append("\(unchecked) have a size that only a render could confirm.")
    }
    if interrupted { lines.append("Interrupted: run the same command again to go on.") }
    if dryRun { lines.append("No report was written; leave out --dry-run to adopt them.") }
    return lines.joined(separator: "\n") + "\n"
  }
}
