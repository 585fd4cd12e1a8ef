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
