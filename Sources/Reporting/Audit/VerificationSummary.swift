import RenderModel

/// The account of one audit: the last line of `minilab verify`.
///
/// The member names are a published interface (`docs/schemas/verification-line.schema.json`).
package struct VerificationSummary: Sendable, Codable, Equatable {
  package var schema = 1
  package var kind = "verification"
  /// UTC, ISO 8601.
  package var started: String
  package var finished: String
  /// Whether only sizes and identities were compared.
  package var quick: Bool
  /// The share of the outputs that was looked at, in percent; nil for all.
  package var sample: Double?
  /// Jobs that have outputs.
  package var jobs = 0
  /// Outputs that were looked at.
  package var outputs = 0
  /// Report files that were looked at.
  package var reports = 0
  /// Bytes that were read.
  package var bytes: Int64 = 0
  /// `--quick`: outputs of the right size whose identity was never recorded.
  package var unchecked = 0
  /// Jobs of the given manifests that have no outputs to look at.
  package var unknownJobs = 0
  /// How many findings there are, by their code.
  package var findings: [String: Int] = [:]
  /// Damaged outputs whose times look untouched; the next render makes them again all the same.
  package var silent = 0
  /// Whether a signal ended it early.
  package var interrupted = false
  package var exitStatus: Int32 = 0

  package init(started: String, quick: Bool, sample: Double?) {
    self.started = started
    finished = started
    self.quick = quick
    self.sample = sample
  }

  package mutating func count(_ finding: AuditFinding) {
    findings[finding.code.rawValue, default: 0] += 1
    if finding.isSilent == true { silent += 1 }
  }

  package var findingCount: Int { findings.values.reduce(0, +) }

  package mutating func end(at time: String, interrupted: Bool) {
    finished = time
    self.interrupted = interrupted
    let status: ExitStatus =
      interrupted ? .interrupted : findings.isEmpty ? .success : .someFailed
    exitStatus = status.rawValue
  }

  /// For a person; `elapsed` in seconds. Ends with a newline.
  package func text(elapsed: Double) -> String {
    let looked = quick ? "compared by size and times" : "read"
    var lines = [
      "\(outputs) \(outputs == 1 ? "output" : "outputs") of \(jobs) \(jobs == 1 ? "job" : "jobs") "
        + "\(looked) in \(NumberText.short(elapsed)) s"
        + (quick ? "" : " (\(AmountText.bytes(bytes)))") + ": "
        + (findings.isEmpty ? interrupted ? "nothing wrong so far" : "all well" : counts)
    ]
    if unchecked > 0 { lines.append("\(unchecked) of them can only be told by reading.") }
    if unknownJobs > 0 { lines.append("\(unknownJobs) jobs have no outputs that are known.") }
    if silent > 0 {
      lines.append("\(silent) look untouched by their times; the next render makes them again.")
    }
    if interrupted { lines.append("Interrupted: not everything was looked at.") }
    return lines.joined(separator: "\n") + "\n"
  }

  private var counts: String {
    let parts = findings.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return parts.joined(separator: ", ")
  }
}
