import Adjustments
import Ledger
import Manifest
import RenderModel
import Reporting
import SystemSupport

/// Decides which jobs may have outputs to adopt, and finds those outputs; no picture is parsed here.
struct AdoptionIntake {
  let output: Directory
  let library: Directory
  let decider: JobDecider

  init(places: RunPlaces, libraryPath: String) throws(SystemError) {
    output = places.output
    library = try Directory(path: libraryPath)
    decider = JobDecider(
      library: library, output: places.output, ledger: places.ledger, isForced: false,
      acceptsRemovedEdits: false)
  }

  typealias Refusal = AdoptionCandidate.Refusal

  /// nil for a job that is up to date already.
  func candidate(_ job: Job) throws -> Result<AdoptionCandidate, Refusal>? {
    let context = JobContext(
      token: 0, job: job, asset: JobReport.Asset(path: job.asset), assetPath: job.asset,
      taken: BootClock.now())
    switch try decider.decide(context) {
    case .fresh: return nil
    case .settled(_, let outcome):
      return .failure(
        Refusal(
          code: outcome.code == FailureCode.unreadable.rawValue
            ? .originalUnreadable : .notRenderable,
          detail: outcome.detail ?? outcome.state.rawValue))
    case .render(let reason, let findings):
      if let entry = findings.entry, !entry.outputs.isEmpty {
        return .failure(
          Refusal(
            code: .alreadyKnown,
            detail: "its outputs are known, and are to be rendered again (\(reason))"))
      }
      return Result { () throws(Refusal) in try candidate(findings) }
    }
  }

  private func candidate(_ findings: JobFindings) throws(Refusal) -> AdoptionCandidate {
    var context = findings.context
    // What is not there need not be asked of a worker.
    for wanted in context.job.outputs where wanted.template.isKnownBefore {
      _ = try find(wanted, context.templateValues(wanted.rendition, header: nil), context)
    }
    var newest = findings.file.status.modified
    if let path = context.adjustment?.relativePath,
      let status = try? library.status(path.bytes)
    {
      newest = max(newest, status.modified)
    }
    var digests: [String] = []
    for (index, file) in findings.filterFiles.enumerated() {
      newest = max(newest, file.status.modified)
      switch findings.read[index].map(Result.success) ?? decider.filterFiles.read(file) {
      case .success(let ready):
        digests.append(ready.sha256)
        context.resources.append(ready.entry)
      case .failure(let failure):
        throw Refusal(code: .notRenderable, detail: failure.detail)
      }
    }
    return AdoptionCandidate(
      context: context, resourceDigests: digests, newestInput: newest)
  }

  /// Finds all outputs, once the original's header is known.
  func locate(_ candidate: inout AdoptionCandidate) throws(Refusal) {
    candidate.outputs = []
    for wanted in candidate.context.job.outputs {
      var values = candidate.context.templateValues(wanted.rendition, header: candidate.header)
      if let header = candidate.header,
        case .known(let sides) = ExpectedSize.of(
          wanted.rendition, header: header, filters: candidate.context.filters)
      {
        (values.width, values.height) = (sides.width, sides.height)
      }
      candidate.outputs.append(try find(wanted, values, candidate.context))
    }
  }

  private func find(
    _ wanted: Job.Output, _ values: OutputTemplate.Values, _ context: JobContext
  ) throws(Refusal) -> AdoptionCandidate.Output {
    let path: RelativePath
    switch wanted.template.path(values) {
    case .success(let known): path = known
    case .failure(let failure): throw Refusal(code: .nameUnknown, detail: failure.message)
    }
    let status: FileStatus?
    do {
      status = try output.status(path.bytes)
    } catch {
      throw Refusal(code: .outputUnreadable, path: path, detail: error.reason)
    }
    guard let status, status.kind == .regular else {
      throw Refusal(
        code: .outputMissing, path: path,
        detail: status == nil
          ? "no file has this name" : "a folder, link or special file has this name")
    }
    if let source = context.sourceStatus, source.inode == status.inode,
      source.device == status.device
    {
      throw Refusal(code: .isOriginal, path: path, detail: "is the original itself")
    }
    return AdoptionCandidate.Output(rendition: wanted.rendition, path: path, status: status)
  }

  /// Digests the original and the outputs, and sees to it that none of them changes meanwhile.
  func digest(_ candidate: inout AdoptionCandidate) throws(Refusal) {
    let context = candidate.context
    guard let status = context.sourceStatus else { return }
    candidate.context.asset.sha256 = try digest(library, context.job.asset, status)
    if !status.identity.isSettled(at: WallClock.now()) { candidate.context.asset.identity = nil }
    for index in candidate.outputs.indices {
      let output = candidate.outputs[index]
      candidate.outputs[index].sha256 = try digest(self.output, output.path, output.status)
    }
  }

  private func digest(
    _ folder: Directory, _ path: RelativePath, _ status: FileStatus
  ) throws(Refusal) -> String {
    do {
      let file = try folder.openBeneath(path.bytes, flags: FileFlags.readNonBlocking)
      let sha256 = try FileDigest.sha256(of: file)
      if try FileStatus(of: file).isUnchanged(since: status) { return sha256 }
    } catch {
      throw Refusal(code: .outputUnreadable, path: path, detail: error.reason)
    }
    throw Refusal(code: .changed, path: path, detail: "was written to while it was looked at")
  }
}

extension JobContext {
  /// What a name template is filled from before the sizes of outputs are known.
  fileprivate func templateValues(
    _ rendition: Rendition, header: AssetHeader?
  ) -> OutputTemplate.Values {
    OutputTemplate.Values(
      job: job.id, asset: assetPath, rendition: rendition.name, type: rendition.type,
      captured: header?.captured, sha256: asset.sha256)
  }
}
