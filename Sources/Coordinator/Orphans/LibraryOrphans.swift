import Journal
package import Manifest
import RenderModel
package import Reporting
import SystemSupport

/// Lists outputs that no job makes any more, and removes them on request: `minilab orphans`.
package struct LibraryOrphans {
  package var access: LibraryAccess
  package var manifestPaths: [String]
  package var manifestOptions = ManifestOptions()
  package var threads: Int
  package var prunes = false
  /// More than `largestShare` of the outputs may go.
  package var isSure = false
  package var onOrphan: (OrphanLine) -> Void = { _ in }
  package var onProgress: (ProgressMeter) -> Void = { _ in }

  package init(access: LibraryAccess, manifestPaths: [String], threads: Int) {
    self.access = access
    self.manifestPaths = manifestPaths
    self.threads = threads
  }

  /// In percent of the outputs that are known: more is likelier a slip than a wish.
  package static let largestShare = 1

  /// Orphans that are removed together.
  private static let batch = 256

  package func perform() throws(LedgerAccess.Refusal) -> OrphanSummary {
    try access.with { places in
      do {
        return try perform(places)
      } catch is OrphanSearch.Stopped {
        throw LedgerAccess.Refusal(
          status: .interrupted, words: "stopped while outputs were looked for; nothing was removed")
      }
    }
  }

  private func perform(_ places: RunPlaces) throws -> OrphanSummary {
    let manifests = try CheckedManifests.open(
      manifestPaths, manifestOptions, output: places.output,
      caseInsensitive: places.isCaseInsensitive(), isStopped: access.isStopped)
    try refuseMissingLibraries(manifests)
    var search = OrphanSearch(
      places, caseInsensitive: places.isCaseInsensitive(), isStopped: access.isStopped)
    let all = try search.perform(manifests)
    let there = all.filter { $0.bytes != nil }
    var summary = OrphanSummary(known: max(search.known, there.count), pruned: prunes)
    for orphan in there { summary.count(orphan.path, orphan.bytes ?? 0) }
    guard prunes else {
      for orphan in there { onOrphan(OrphanLine(orphan, OrphanLine.Kind.orphan)) }
      return summary
    }
    if !isSure, there.count * 100 > Self.largestShare * summary.known {
      throw LedgerAccess.Refusal(
        status: .usage,
        words: "\(there.count) of \(summary.known) known outputs would be removed, more than "
          + "\(Self.largestShare) %; see that the manifests are the right ones, then say --yes")
    }
    // An output folder without any output may be one that is not mounted: then nothing is gone.
    let isEmpty = try places.output.entries().allSatisfy { $0.name.first == UInt8(ascii: ".") }
    try prune(isEmpty ? there : all, places, manifests, &summary)
    return summary
  }

  /// A library that is not mounted looks like one whose photos are gone.
  private func refuseMissingLibraries(_ manifests: CheckedManifests) throws {
    for slice in manifests.slices {
      let path = DisplayText.escaped(slice.source.libraryPath)
      let entries = try? Directory(path: slice.source.libraryPath).entries()
      let isThere = entries?.contains { $0.name.first != UInt8(ascii: ".") } ?? false
      guard isThere, slice.check.jobCount > 0 else {
        throw LedgerAccess.Refusal(
          status: .manifestInvalid,
          words: isThere
            ? "\(slice.entry.path) has no jobs, so every output would be an orphan"
            : "the library \(path) is missing or empty; is it mounted?")
      }
    }
  }

  private func prune(
    _ orphans: [Orphan], _ places: RunPlaces, _ manifests: CheckedManifests,
    _ summary: inout OrphanSummary
  ) throws {
    let run = QuietRun(places, manifests: manifests.entries, onNote: access.onNote)
    let removal = OrphanRemoval(places, run, threads: threads)
    var meter = ProgressMeter()
    meter.plan(orphans.count)
    meter.begin(at: RunProgress.now())
    // All of a job together, so that its report names them all.
    var rest = orphans.sorted { ($0.job, $0.path) < ($1.job, $1.path) }[...]
    while !rest.isEmpty {
      if access.isStopped() {
        summary.interrupted = true
        break
      }
      var count = min(Self.batch, rest.count)
      while count < rest.count,
        rest[rest.startIndex + count].job == rest[rest.startIndex + count - 1].job
      {
        count += 1
      }
      let group = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      for (orphan, fate) in zip(group, try removal.remove(group)) {
        meter.finish(fate.isGone ? .rendered : .failed, megapixels: nil)
        guard let line = OrphanLine(orphan, fate) else { continue }
        summary.count(line)
        onOrphan(line)
      }
      onProgress(meter)
    }
    summary.folders = try removal.removeEmptyFolders()
    summary.run = run.name
    summary.end()
    var totals = RunSummary.Totals()
    totals.planned = removal.reported
    totals.skipped = removal.reported
    try run.close(totals, exitStatus: summary.exitStatus)
  }
}

extension OrphanLine {
  init(_ orphan: Orphan, _ kind: Kind, detail: String? = nil) {
    self.init(
      kind, job: orphan.job, rendition: orphan.reported?.rendition, path: orphan.path,
      bytes: orphan.bytes ?? 0, detail: detail)
  }

  /// nil for one that was gone before.
  init?(_ orphan: Orphan, _ fate: OrphanRemoval.Fate) {
    switch fate {
    case .gone: return nil
    case .removed: self.init(orphan, Kind.removed)
    case .changed(let words): self.init(orphan, .changed, detail: words)
    case .failed(let words): self.init(orphan, .failed, detail: words)
    }
  }
}
