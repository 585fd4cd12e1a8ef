import Ledger
import RenderModel
import SystemSupport

extension JobDecider {
  /// All files that the filters of a job read, in the order of the plan.
  func readFilterFiles(of findings: JobFindings) -> Result<[FilterFiles.Ready], RenderFailure> {
    Result { () throws(RenderFailure) in
      var files: [FilterFiles.Ready] = []
      for (index, file) in findings.filterFiles.enumerated() {
        files.append(try (findings.read[index].map(Result.success) ?? filterFiles.read(file)).get())
      }
      return files
    }
  }

  /// Whether all outputs that are recorded of a job have other names than it would give now.
  ///
  /// So it is when its template was changed, and every time when two manifests that want different
  /// outputs give their jobs the same ids.
  static func hasOtherNames(_ findings: JobFindings) -> Bool {
    guard let recorded = findings.entry?.outputs, !recorded.isEmpty else { return false }
    let job = findings.context.job
    for output in job.outputs {
      let values = OutputTemplate.Values(
        job: job.id, asset: job.asset, rendition: output.rendition.name,
        type: output.rendition.type)
      guard output.template.isKnownBefore, case .success(let path) = output.template.path(values),
        !recorded.contains(where: { $0.path == path })
      else { return false }
    }
    return true
  }

  /// The outputs whose metadata can be refreshed without a render, opened, or why that is not enough.
  func refreshable(
    _ context: JobContext, _ entry: LedgerEntry?
  ) -> Result<[OwnedDescriptor], RefreshableOutputs.Refusal> {
    Result { () throws(RefreshableOutputs.Refusal) in
      try RefreshableOutputs(output: output, entry: entry, context: context, isForced: isForced)
        .open()
    }
  }
}
