import Ledger
import RenderModel
import Reporting
import SystemSupport

/// A job whose existing outputs may be accepted, with what was found out about it so far.
struct AdoptionCandidate: Sendable {
  /// One existing output.
  struct Output: Sendable {
    var rendition: Rendition
    var path: RelativePath
    var status: FileStatus
    /// nil until it was read.
    var header: AssetHeader?
    var sha256: String?
  }

  var context: JobContext
  /// Digests of what the filters read, in their order.
  var resourceDigests: [String]
  /// The newest of original, record and files of filters, nanoseconds since 1970.
  var newestInput: Int64
  /// The original's; nil until it was read.
  var header: AssetHeader?
  var outputs: [Output] = []
  /// What could not be checked, each in words for a person.
  var notes: [String] = []

  /// Why a job's outputs are not accepted.
  struct Refusal: Error {
    var code: AdoptionRemark.Code
    var path: RelativePath?
    var detail: String
  }

  /// Times that are less far apart tell nothing: some file systems keep whole seconds, or every second one.
  private static let coarsestTime: Int64 = 2_000_000_000

  /// Refuses an output that is not of the type, the size or the age that the job would give it.
  mutating func judge(acceptsOlder: Bool) throws(Refusal) {
    guard let header else { return }
    for output in outputs {
      guard let own = output.header else { continue }
      guard own.type == output.rendition.type else {
        throw Refusal(
          code: .wrongType, path: output.path,
          detail: "is \(own.type.rawValue) where \(output.rendition.type.rawValue) is asked for")
      }
      let sides = RenditionSizing.Sides(own)
      let expected = ExpectedSize.of(output.rendition, header: header, filters: context.filters)
      guard expected.admits(sides, for: output.rendition) else {
        throw Refusal(
          code: .wrongSize, path: output.path,
          detail: "has \(sides.width) x \(sides.height) pixels where "
            + Self.words(expected, output.rendition))
      }
      if case .unknown(let filter) = expected {
        notes.append(
          "\(output.path.displayed): its \(sides.width) x \(sides.height) pixels could not be "
            + "checked, because the filter \(filter) decides them")
      }
      if !acceptsOlder, output.status.modified < newestInput - Self.coarsestTime {
        throw Refusal(
          code: .outputOlder, path: output.path,
          detail: "is older than the original, its record or a file of its filters; "
            + "--accept-older takes it for current")
      }
    }
  }

  private static func words(_ expected: ExpectedSize, _ rendition: Rendition) -> String {
    switch expected {
    case .known(let wanted): return "\(wanted.width) x \(wanted.height) would be rendered"
    case .unknown:
      let box = rendition.targetSize ?? Rendition.TargetSize(width: 0, height: 0)
      return "at most \(box.width) x \(box.height) would be rendered (0: any)"
    }
  }

  /// The report that says of the outputs what one of a render would.
  func report(run: String) -> JobReport {
    var report = JobReport(
      job: context.job.id, run: run, attempt: 1, asset: context.asset,
      outcome: Outcome(.rendered, detail: "existing outputs were accepted as they are"))
    if let header {
      report.asset.type = header.type.rawValue
      report.asset.width = header.width
      report.asset.height = header.height
      report.asset.orientation = header.orientation
      report.asset.profile = header.profile
      report.asset.captured = header.captured
    }
    report.adjustment = context.adjustment
    report.filters = context.filters.map { .init(name: $0.name, version: $0.version) }
    if !context.resources.isEmpty { report.resources = context.resources }
    report.recipe = context.recipe
    report.renderKey = Recipe.renderKey(
      source: context.asset.sha256 ?? "", adjustment: context.adjustment?.sha256,
      recipe: context.recipe ?? "", filters: context.filters, files: resourceDigests)
    report.reason = "adopted"
    if !notes.isEmpty { report.notes = notes }
    let now = WallClock.now()
    report.renditions = outputs.map { output in
      let sides = output.header.map { RenditionSizing.Sides($0) }
      let identity = output.status.identity
      return JobReport.RenditionEntry(
        name: output.rendition.name, path: output.path, type: output.rendition.type.rawValue,
        bytes: Int(output.status.size), sha256: output.sha256 ?? "", width: sides?.width ?? 0,
        height: sides?.height ?? 0, profile: output.header?.profile ?? "",
        bitDepth: output.header?.bitDepth ?? 8,
        identity: identity.isSettled(at: now) ? identity : nil)
    }
    report.finished = WallClock.iso8601(now)
    return report
  }
}
