import Digest
import Glibc
import JSONText
import Ledger
import RenderModel
import Reporting
import SystemSupport

/// One file of a job, as it was reported.
struct AuditTarget: Sendable {
  enum Kind: Sendable {
    case output(LedgerEntry.Output)
    /// The report file, and what it has to say of the outputs.
    case report(RelativePath, of: [LedgerEntry.Output])
  }

  var job: String
  var kind: Kind
}

/// What the look at one file came to.
struct AuditAnswer: Sendable {
  var finding: AuditFinding?
  /// Bytes that were read.
  var bytes: Int64 = 0
  /// Whether there was nothing to compare with but the size.
  var isUnchecked = false
  /// Given up because the program is to end.
  var isStopped = false
}

/// Compares files with what was reported of them; whatever cannot be read is a finding.
struct FileAudit: Sendable {
  let output: Directory
  let isQuick: Bool
  let isStopped: @Sendable () -> Bool

  /// Longer report files are none.
  private static let longestReport = 16 << 20

  func look(at target: AuditTarget) -> AuditAnswer {
    if isStopped() { return AuditAnswer(isStopped: true) }
    switch target.kind {
    case .output(let known): return look(at: known, target)
    case .report(let path, let outputs): return look(at: path, outputs, target)
    }
  }

  // MARK: - Outputs

  private func look(at known: LedgerEntry.Output, _ target: AuditTarget) -> AuditAnswer {
    func found(
      _ code: AuditFinding.Code, _ detail: String, bytes: Int64 = 0, isSilent: Bool = false
    ) -> AuditAnswer {
      AuditAnswer(
        finding: AuditFinding(
          code, job: target.job, rendition: known.rendition, path: known.path, detail: detail,
          isSilent: isSilent), bytes: bytes)
    }
    do {
      guard let status = try output.status(known.path.bytes) else {
        return found(.outputMissing, "no file has this name")
      }
      guard status.kind == .regular else {
        return found(.outputMissing, "a folder, link or special file has this name")
      }
      guard status.size == Int64(known.bytes) else {
        return found(
          .outputDamaged, "has \(status.size) bytes where \(known.bytes) were reported")
      }
      let isUntouched = known.identity.map { $0 == status.identity }
      if isQuick {
        guard let isUntouched else { return AuditAnswer(isUnchecked: true) }
        if isUntouched { return AuditAnswer() }
        return found(
          .outputTouched,
          "has another inode or other times than were reported; "
            + "'minilab verify' without --quick reads it")
      }
      let file = try output.openBeneath(known.path.bytes, flags: FileFlags.readNonBlocking)
      guard let sha256 = try digest(of: file) else { return AuditAnswer(isStopped: true) }
      if sha256 == known.sha256 { return AuditAnswer(bytes: status.size) }
      return found(
        .outputDamaged, "its SHA-256 is \(sha256) where \(known.sha256) was reported",
        bytes: status.size, isSilent: isUntouched == true)
    } catch {
      return found(.outputUnreadable, Self.words(for: error))
    }
  }

  /// nil when the program is to end.
  private func digest(of file: OwnedDescriptor) throws(SystemError) -> String? {
    let digest = SHA256Digest()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try FileTransfer.read(file, into: &buffer)
      if count == 0 { return digest.finalize().hex }
      unsafe buffer.withUnsafeBytes {
        unsafe digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      if isStopped() { return nil }
    }
  }

  private static func words(for error: SystemError) -> String {
    switch error.errno {
    case EACCES, EPERM: "may not be read by this user"
    case ELOOP, EXDEV: "leads through a symbolic link or out of the output folder"
    case ENOTDIR: "a part of its path is not a folder"
    default: "\(error.operation): \(error.reason)"
    }
  }

  // MARK: - Report files

  private func look(
    at path: RelativePath, _ outputs: [LedgerEntry.Output], _ target: AuditTarget
  ) -> AuditAnswer {
    func found(_ code: AuditFinding.Code, _ detail: String, bytes: Int = 0) -> AuditAnswer {
      AuditAnswer(
        finding: AuditFinding(
          code, job: target.job, rendition: nil, path: path, detail: detail), bytes: Int64(bytes))
    }
    do {
      guard let status = try output.status(path.bytes), status.kind == .regular else {
        return found(.reportMissing, "no regular file has this name")
      }
      if isQuick { return AuditAnswer() }
      let file = try output.openBeneath(path.bytes, flags: FileFlags.readNonBlocking)
      let bytes = try FileTransfer.readAll(file, limit: Self.longestReport)
      if let fault = ReportFileFault.of(bytes, job: target.job, outputs: outputs) {
        return found(
          .reportDamaged, "\(fault); delete it and render again", bytes: bytes.count)
      }
      return AuditAnswer(bytes: Int64(bytes.count))
    } catch {
      return found(.reportUnreadable, Self.words(for: error))
    }
  }
}

/// What is wrong with a report file, as the end of a sentence about it.
enum ReportFileFault {
  /// nil when it is the report of these outputs of this job.
  static func of(_ bytes: [UInt8], job: String, outputs: [LedgerEntry.Output]) -> String? {
    guard let value = try? JSONParser.parse(bytes).value, value.object != nil else {
      return "is no report in JSON"
    }
    guard value["kind"]?.string == "report", let told = value["job"]?.string else {
      return "is no report of a job"
    }
    guard LedgerKey(job: told) == LedgerKey(job: job) else {
      return "is the report of the job \"\(DisplayText.escaped(told))\""
    }
    let entries = (value["renditions"]?.array ?? []).map(Rendition.init)
    let known = outputs.map {
      Rendition(name: $0.rendition, path: $0.path, sha256: $0.sha256)
    }
    return Set(entries) == Set(known) ? nil : "speaks of other outputs than were reported"
  }

  private struct Rendition: Hashable {
    var name: String
    var path: RelativePath?
    var sha256: String

    init(name: String, path: RelativePath?, sha256: String) {
      self.name = name
      self.path = path
      self.sha256 = sha256
    }

    init(_ value: JSONValue) {
      self.init(
        name: value["name"]?.string ?? "",
        path: JobReport.path(value["path"]?.string, value["pathBytes"]?.string),
        sha256: value["sha256"]?.string ?? "")
    }
  }
}
