import Digest
import Journal
import Ledger
import Manifest
import RenderModel
import SystemSupport

/// An output that was made, and that no job makes any more.
struct Orphan: Sendable {
  var job: String
  /// What was reported of it; nil for the report file beside the renders.
  var reported: Reported?
  var path: RelativePath
  /// Bytes that it has now; nil when it is gone already.
  var bytes: Int64?

  /// In few bytes: where a manifest is the wrong one, every output is an orphan.
  struct Reported: Sendable {
    var rendition: String
    var bytes: Int64
    var sha256: SHA256Value
  }
}

/// Finds outputs that are known to have been made here and that no job of some manifests makes.
///
/// Files that nobody reported are strangers' and never looked at.
struct OrphanSearch {
  let places: RunPlaces
  let caseInsensitive: Bool
  let isStopped: () -> Bool

  /// Names that the manifests' jobs make, by their hashes: one too many only spares a file.
  private var claimed: Set<Int> = []
  /// Jobs whose names only rendering tells, by the hashes of their ids.
  private var lateJobs: Set<Int> = []
  /// The originals, where outputs lie among them.
  private var originals: Set<Original> = []
  private var found: [RelativePath: Orphan] = [:]
  /// Outputs that are known, all together.
  private(set) var known = 0

  private struct Original: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  struct Stopped: Error {}

  init(_ places: RunPlaces, caseInsensitive: Bool, isStopped: @escaping () -> Bool) {
    self.places = places
    self.caseInsensitive = caseInsensitive
    self.isStopped = isStopped
  }

  /// Those that are there and those that are gone already, in the order of their paths.
  mutating func perform(_ manifests: CheckedManifests) throws -> [Orphan] {
    try claim(manifests)
    try forEachEntry { search, entry in
      guard search.lateJobs.contains(Self.hash(entry.job)) else { return }
      for path in Self.paths(entry) { search.claimed.insert(search.key(path)) }
    }
    try forEachEntry { search, entry in
      search.known += Self.paths(entry).count
      for output in entry.outputs {
        search.find(
          output.path, entry.job,
          Self.reported(output.rendition, Int64(output.bytes), output.sha256))
      }
      if let file = entry.reportFile { search.find(file, entry.job, nil) }
    }
    try readJournals()
    return looked()
  }

  // MARK: - What is made

  private mutating func claim(_ manifests: CheckedManifests) throws {
    var libraries: [String: Directory] = [:]
    for slice in manifests.slices {
      let folder = try Directory(path: slice.source.libraryPath)
      if places.overlap(with: folder) != .nowhere { libraries[slice.source.libraryPath] = folder }
    }
    try manifests.forEachJob { job, source in
      if isStopped() { throw Stopped() }
      if let library = libraries[source.libraryPath],
        let status = try? library.status(job.asset.bytes)
      {
        originals.insert(Original(device: status.device, inode: status.inode))
      }
      for output in job.outputs { claim(output.template, output.rendition, job) }
      if let report = job.reportTemplate, let first = job.outputs.first {
        claim(report, first.rendition, job)
      }
      return true
    }
  }

  private mutating func claim(_ template: OutputTemplate, _ rendition: Rendition, _ job: Job) {
    guard template.isKnownBefore else {
      lateJobs.insert(Self.hash(job.id))
      return
    }
    let values = OutputTemplate.Values(
      job: job.id, asset: job.asset, rendition: rendition.name, type: rendition.type)
    if case .success(let path) = template.path(values) { claimed.insert(key(path)) }
  }

  private func key(_ path: RelativePath) -> Int {
    OutputName.collisionKey(path, caseInsensitive: caseInsensitive).hashValue
  }

  private static func hash(_ job: String) -> Int {
    var hasher = Hasher()
    for byte in job.utf8 { hasher.combine(byte) }
    return hasher.finalize()
  }

  // MARK: - What was made

  private mutating func forEachEntry(
    _ body: (inout OrphanSearch, LedgerEntry) throws -> Void
  ) throws {
    var last: LedgerKey?
    while true {
      if isStopped() { throw Stopped() }
      let entries = try places.ledger.entries(after: last, limit: 500)
      guard let end = entries.last else { return }
      last = end.key
      for entry in entries { try body(&self, entry) }
    }
  }

  private static func paths(_ entry: LedgerEntry) -> [RelativePath] {
    entry.outputs.map(\.path) + [entry.reportFile].compactMap { $0 }
  }

  private mutating func find(
    _ path: RelativePath, _ job: String, _ reported: Orphan.Reported?
  ) {
    if claimed.contains(key(path)) { return }
    found[path] = Orphan(job: job, reported: reported, path: path)
  }

  /// Names that a job had before it got others are only in the journals.
  private mutating func readJournals() throws {
    for run in try RunFolder.identifiers(state: places.state) {
      let folder = try RunFolder.open(run, state: places.state, output: places.output)
      guard var reader = try JournalReader.open(folder.directory) else { continue }
      while let report = try reader.nextReport() {
        if isStopped() { throw Stopped() }
        let names = report.renditions.compactMap { entry in
          entry.relativePath.map { (path: $0, entry: entry) }
        }
        switch OutcomeState(rawValue: report.outcome.state) {
        case .rendered, .degraded:
          for name in names {
            find(
              name.path, report.job,
              Self.reported(name.entry.name, Int64(name.entry.bytes), name.entry.sha256))
          }
          if let file = report.reportFile?.relativePath { find(file, report.job, nil) }
        case .skipped where report.outcome.code == SkippedCode.pruned.rawValue:
          for name in names { found[name.path] = nil }
          if let file = report.reportFile?.relativePath { found[file] = nil }
        default: continue
        }
      }
    }
  }

  /// What has no digest is never removed: no file has this size.
  private static func reported(
    _ rendition: String, _ bytes: Int64, _ sha256: String
  ) -> Orphan.Reported {
    let digest = SHA256Value(hex: sha256)
    return Orphan.Reported(
      rendition: rendition, bytes: digest == nil ? -1 : bytes,
      sha256: digest ?? SHA256Value.of([UInt8]()))
  }

  private func looked() -> [Orphan] {
    found.values.compactMap { orphan -> Orphan? in
      // What cannot be looked at is neither there nor gone.
      let answer: FileStatus?
      do {
        answer = try places.output.status(orphan.path.bytes)
      } catch {
        return nil
      }
      guard let status = answer else { return orphan }
      guard status.kind == .regular,
        !originals.contains(Original(device: status.device, inode: status.inode))
      else { return nil }
      var orphan = orphan
      orphan.bytes = status.size
      return orphan
    }.sorted { $0.path < $1.path }
  }
}
