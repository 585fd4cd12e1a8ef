import RenderModel

@testable import Ledger

/// 64 hexadecimal digits that begin with the given ones.
func digest(_ start: String) -> String {
  start + String(repeating: "0", count: 64 - start.count)
}

let second: Int64 = 1_000_000_000
/// 2026-01-31T12:00:00Z
let noon: Int64 = 1_769_860_800 * second

func identity(_ inode: UInt64, size: Int64 = 100, age: Int64 = 60 * second) -> FileIdentity {
  FileIdentity(inode: inode, size: size, modified: noon - age, changed: noon - age)
}

/// A report as the coordinator makes it, with two outputs when it is of a render.
func report(
  _ state: OutcomeState, code: String? = nil, job: String = "2024/a.jpg",
  source: String? = "aa", adjustment: String? = "ad", recipe: String = "e0", run: String = "R1",
  finished: String = "2026-01-31T12:00:00.000Z"
) -> JobReport {
  var asset = JobReport.Asset(path: RelativePath(job))
  asset.sha256 = source.map(digest)
  asset.identity = source.map { _ in identity(1) }
  (asset.width, asset.height) = (4000, 3000)
  var report = JobReport(
    job: job, run: run, attempt: 1, asset: asset, outcome: Outcome(state, code: code))
  report.adjustment = adjustment.map {
    JobReport.Adjustment(
      formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0", sha256: digest($0),
      fidelity: "exact", path: RelativePath(job + ".json"))
  }
  report.filters = [.init(name: "exposure", version: 1), .init(name: "sharpen", version: 3)]
  report.resources = ["looks/a.cube", "b.png"].enumerated().map { index, path in
    JobReport.Resource(
      path: RelativePath(path), bytes: 100, sha256: digest("1\(index)"),
      identity: identity(20 + UInt64(index)))
  }
  report.renderKey = digest("be")
  report.recipe = digest(recipe)
  report.cpu = 184.5
  report.engine = ["minilab": "1.0", "libvips": "8.14.1", "libheif": "1.15.1"]
  report.finished = finished
  if state == .rendered || state == .degraded {
    report.renditions = ["full", "preview"].enumerated().map { index, name in
      JobReport.RenditionEntry(
        name: name, path: RelativePath("2024/a.\(name).jpg"), type: "public.jpeg", bytes: 100,
        sha256: digest("f\(index)"), width: 30, height: 20, profile: "sRGB", bitDepth: 8,
        identity: identity(10 + UInt64(index)))
    }
  }
  return report
}

func entry(_ reports: JobReport...) -> LedgerEntry? {
  reports.reduce(nil) { LedgerEntry.following($0, $1) }
}

/// What is there now when nothing was touched since `report(.rendered)`.
func unchanged(_ entry: LedgerEntry?) -> Freshness.Current {
  Freshness.Current(
    source: .init(identity: identity(1)), adjustment: .record(sha256: digest("ad")),
    recipe: digest("e0"), filterVersions: ["exposure": [1], "sharpen": [3], "crop": [9]],
    resources: (entry?.resources ?? []).compactMap { resource in
      resource.identity.map { .init(path: resource.path, file: .init(identity: $0)) }
    },
    outputs: (entry?.outputs ?? []).map { output in
      output.identity.map { Freshness.File(identity: $0) }
    })
}
