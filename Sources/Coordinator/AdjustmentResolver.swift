import Adjustments
import Digest
import RenderModel
import SystemSupport

/// What a job's adjustment turned out to be.
enum ResolvedAdjustment: Sendable {
  /// No edits.
  case none
  case native(AdjustmentRecord, filters: [FilterStep], entry: JobReport.Adjustment)
  /// A record that nothing here can render: the photo stays as it is.
  case kept(KeptCode, detail: String, entry: JobReport.Adjustment)
  case failed(RenderFailure)

  var entry: JobReport.Adjustment? {
    switch self {
    case .none, .failed: nil
    case .native(_, _, let entry), .kept(_, _, let entry): entry
    }
  }
}

/// Finds and decodes the record of a job; a foreign file is recognised by its name and not read into.
struct AdjustmentResolver: Sendable {
  let library: Directory

  func resolve(_ job: Job) -> ResolvedAdjustment {
    switch job.adjustment {
    case .none: .none
    case .record(let record): decode(record, path: nil)
    case .file(let path): read(path)
    case .sidecar: sidecar(of: job.asset)
    }
  }

  private func sidecar(of asset: RelativePath) -> ResolvedAdjustment {
    for candidate in SidecarNames.candidates(for: asset) {
      let status: FileStatus?
      do {
        status = try library.status(candidate.path.bytes)
      } catch {
        return .failed(unreadable(candidate.path, "cannot be read: \(error)"))
      }
      if status != nil { return read(candidate.path) }
    }
    return .none
  }

  private func read(_ path: RelativePath) -> ResolvedAdjustment {
    let bytes: [UInt8]
    do {
      let file = try library.openBeneath(path.bytes, flags: FileFlags.readNonBlocking)
      guard try FileStatus(of: file).kind == .regular else {
        return .failed(unreadable(path, "is not a regular file"))
      }
      guard let whole = try StableFile.read(file, limit: AdjustmentFile.maximumBytes) else {
        return .failed(
          unreadable(path, "was written to while it was read; run again", code: .inputChanged))
      }
      bytes = whole
    } catch {
      return .failed(unreadable(path, "cannot be read: \(error)"))
    }
    switch AdjustmentFile.decode(bytes, named: path) {
    case .record(let record): return decode(record, path: path, text: bytes)
    case .unknownFormat(let identifier):
      let entry = JobReport.Adjustment(
        formatIdentifier: identifier, formatVersion: "", sha256: SHA256Value.of(bytes).hex,
        fidelity: "unknown", path: path)
      return .kept(
        .unknownFormat,
        detail: "\(path.displayed) is an adjustment of a format that is not rendered yet "
          + "(\(DisplayText.escaped(identifier))); the last render stays", entry: entry)
    case .invalid(let problems): return .failed(invalid(path, problems, bytes))
    }
  }

  /// `text`: of the file that the record stands in; empty for one in the manifest.
  private func decode(
    _ record: AdjustmentRecord, path: RelativePath?, text: [UInt8] = []
  ) -> ResolvedAdjustment {
    let digest = record.digest.hex
    func entry(_ fidelity: String) -> JobReport.Adjustment {
      JobReport.Adjustment(
        formatIdentifier: record.formatIdentifier, formatVersion: record.formatVersion,
        sha256: digest, fidelity: fidelity, path: path)
    }
    switch AdjustmentDecoding.decode(record: record) {
    case .filters(let filters): return .native(record, filters: filters, entry: entry("exact"))
    case .unknownFormat:
      return .kept(
        .unknownFormat,
        detail:
          "the adjustment format \(DisplayText.escaped(record.formatIdentifier)) is not known;"
          + " the last render stays", entry: entry("unknown"))
    case .unknownVersion(let words):
      return .kept(
        .unknownVersion, detail: "\(words); the last render stays", entry: entry("unknown"))
    case .invalid(let problems): return .failed(invalid(path, problems, text))
    }
  }

  private func invalid(
    _ path: RelativePath?, _ problems: [AdjustmentProblem], _ text: [UInt8]
  ) -> RenderFailure {
    let shown = problems.prefix(Self.mostProblems).map { problem in
      path == nil ? "\(problem.field): \(problem.message)" : problem.words(in: text[...])
    }
    let more = problems.count - shown.count
    return RenderFailure(
      code: .invalidAdjustment, stage: .intake,
      detail: (path.map { "\($0.displayed): " } ?? "") + shown.joined(separator: "; ")
        + (more > 0 ? "; and \(more) more" : ""))
  }

  /// What one sentence of a report has room for; `minilab validate` shows all.
  private static let mostProblems = 5

  private func unreadable(
    _ path: RelativePath, _ words: String, code: FailureCode = .invalidAdjustment
  ) -> RenderFailure {
    RenderFailure(
      code: code, stage: .intake,
      detail: "the adjustment record \(path.displayed) \(words)")
  }
}
