import Ledger
import RenderModel
import SystemSupport

/// Decides whether the outputs of a job may be given other metadata without a render, and opens them.
struct RefreshableOutputs {
  let output: Directory
  let entry: LedgerEntry?
  let context: JobContext
  let isForced: Bool

  /// Why a job's outputs are left as they are.
  struct Refusal: Error {
    var detail: String
  }

  /// One file a rendition, in the job's order.
  func open() throws(Refusal) -> [OwnedDescriptor] {
    guard let entry, !entry.outputs.isEmpty else {
      throw Refusal(detail: "there is no render whose metadata could be refreshed")
    }
    let reason = context.reason ?? ""
    guard reason == RenderReason.recipeChanged.description || isForced else {
      throw Refusal(
        detail: "more than metadata would change (\(reason)); render it without --metadata-only"
          + (reason == RenderReason.sourceChanged.description
            ? ", or say with --force that its pixels are what they were" : ""))
    }
    guard Recipe.differsInMetadataAlone(context.job, from: entry.recipe) else {
      throw Refusal(
        detail: "more is asked for than other metadata; render it without --metadata-only")
    }
    let filters = Set(
      context.filters.map { JobReport.FilterUse(name: $0.name, version: $0.version) })
    guard entry.adjustment?.sha256 == context.adjustment?.sha256, filters == Set(entry.filters),
      entry.resources.map(\.sha256) == context.resources.map(\.sha256)
    else {
      throw Refusal(
        detail: "the edits are not those it was rendered with; render it without --metadata-only")
    }
    var files: [OwnedDescriptor] = []
    for wanted in context.job.outputs {
      let name = wanted.rendition.name
      guard let known = entry.outputs.first(where: { $0.rendition == name }) else {
        throw Refusal(detail: "the rendition \(DisplayText.escaped(name)) was never made")
      }
      files.append(try open(known))
    }
    return files
  }

  private func open(_ known: LedgerEntry.Output) throws(Refusal) -> OwnedDescriptor {
    do {
      let file = try output.openBeneath(known.path.bytes, flags: FileFlags.readNonBlocking)
      guard try FileDigest.sha256(of: file) == known.sha256 else {
        throw Refusal(
          detail: "\(known.path.displayed) is not what was rendered; render it anew")
      }
      return file
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(detail: "\(known.path.displayed) cannot be read: \(error)")
    }
  }
}

extension Recipe {
  /// Whether a job's recipe has this digest when other metadata are wished for.
  static func differsInMetadataAlone(_ job: Job, from digest: String?) -> Bool {
    guard let digest else { return false }
    var wishes = [job.outputs]
    if job.outputs.count <= variedOutputs {
      for index in job.outputs.indices { wishes = wishes.flatMap { variants($0, [index]) } }
    } else {
      // Of many renditions only those wishes that all of them share.
      wishes = variants(job.outputs, Array(job.outputs.indices))
    }
    return wishes.contains { outputs in
      var other = job
      other.outputs = outputs
      return Recipe.digest(of: other) == digest
    }
  }

  /// Six wishes for each of them.
  private static let variedOutputs = 3

  private static func variants(_ outputs: [Job.Output], _ indices: [Int]) -> [[Job.Output]] {
    Rendition.MetadataPolicy.allCases.flatMap { metadata in
      Rendition.LocationPolicy.allCases.map { location in
        var outputs = outputs
        for index in indices {
          outputs[index].rendition.metadata = metadata
          outputs[index].rendition.location = location
        }
        return outputs
      }
    }
  }
}
