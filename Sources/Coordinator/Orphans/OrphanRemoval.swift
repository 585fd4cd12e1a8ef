import Digest
import Glibc
import JSONText
import Journal
import Ledger
import RenderModel
import Reporting
import SystemSupport

/// Removes orphans whose bytes are still those that were reported: intent, removal, report.
///
/// After a death in between, the next removal says of what is gone that it was removed.
final class OrphanRemoval {
  private let places: RunPlaces
  private let run: QuietRun
  private let threads: Int
  /// Folders that became emptier, by their paths.
  private var touched: Set<RelativePath> = []
  /// Jobs that something was said of.
  private(set) var reported = 0

  init(_ places: RunPlaces, _ run: QuietRun, threads: Int) {
    self.places = places
    self.run = run
    self.threads = threads
  }

  /// What became of one orphan.
  enum Fate: Equatable, Sendable {
    case removed
    /// It was gone before, by an earlier removal that did not come to say so or by somebody's hand.
    case gone
    /// Somebody has changed it since: it is not what was made here.
    case changed(String)
    case failed(String)

    var isGone: Bool { self == .removed || self == .gone }
  }

  /// All orphans of one job belong into one call.
  func remove(_ orphans: [Orphan]) throws -> [Fate] {
    let output = places.output
    var fates = ParallelWork.map(orphans, threads: threads) {
      OrphanRemoval.look(at: $0, in: output)
    }
    let jobs = Self.jobs(zip(orphans, fates).filter { $0.1.isGone }.map(\.0))
    if jobs.isEmpty { return fates }
    reported += jobs.count
    // Without names: what is gone cannot be put back, and a recovery leaves it as it is.
    try run.write(
      try reports(of: orphans, fates, jobs).map { .intent(Intent(names: [], report: $0)) })
    for index in orphans.indices where fates[index] == .removed {
      do {
        try output.remove(orphans[index].path.bytes)
        touched.insert(orphans[index].path.directory)
      } catch  where error.isNotFound {
        continue
      } catch {
        fates[index] = .failed(error.reason)
      }
    }
    for folder in Set(orphans.map(\.path.directory)) {
      let directory = folder.bytes.isEmpty ? output : (try? output.openDirectory(folder.bytes))
      try directory?.synchronize()
    }
    try run.write(try reports(of: orphans, fates, jobs).map { .report($0) })
    return fates
  }

  // MARK: - What they are now

  private static func look(at orphan: Orphan, in output: Directory) -> Fate {
    do throws(SystemError) {
      guard let status = try output.status(orphan.path.bytes) else { return .gone }
      guard status.kind == .regular else {
        return .changed("a folder, link or special file has this name now")
      }
      let file = try output.openBeneath(orphan.path.bytes, flags: FileFlags.readNonBlocking)
      guard let reported = orphan.reported else { return try lookAtReport(file, orphan) }
      guard status.size == reported.bytes,
        try FileDigest.sha256(of: file) == reported.sha256.hex
      else { return .changed("its bytes are not those that were reported") }
      return .removed
    } catch {
      return .failed(error.reason)
    }
  }

  /// Its digest is told nowhere, but what it has to be is.
  private static func lookAtReport(
    _ file: OwnedDescriptor, _ orphan: Orphan
  ) throws(SystemError) -> Fate {
    let bytes = try FileTransfer.readAll(file, limit: 16 << 20)
    guard let value = try? JSONParser.parse(bytes).value, value["kind"]?.string == "report",
      value["job"]?.string.map({ LedgerKey(job: $0) }) == LedgerKey(job: orphan.job)
    else { return .changed("it is not the report of this job") }
    return .removed
  }

  private static func jobs(_ orphans: [Orphan]) -> [LedgerKey] {
    var seen: Set<LedgerKey> = []
    return orphans.map { LedgerKey(job: $0.job) }.filter { seen.insert($0).inserted }
  }

  /// One for each of the jobs, which names what of it is gone; perhaps nothing after all.
  private func reports(
    of orphans: [Orphan], _ fates: [Fate], _ jobs: [LedgerKey]
  ) throws -> [JobReport] {
    let name = try run.begin()
    var reports: [LedgerKey: JobReport] = [:]
    for key in jobs {
      reports[key] = JobReport(
        job: key.job, run: name, attempt: 0, asset: JobReport.Asset(),
        outcome: Outcome(
          .skipped, code: SkippedCode.pruned.rawValue,
          detail: "no job makes these outputs any more; they were removed"))
      reports[key]?.finished = WallClock.iso8601(WallClock.now())
    }
    for (orphan, fate) in zip(orphans, fates) where fate.isGone {
      let key = LedgerKey(job: orphan.job)
      if let known = orphan.reported {
        reports[key]?.renditions.append(
          JobReport.RenditionEntry(
            name: known.rendition, path: orphan.path, type: UniformType.data.rawValue,
            bytes: Int(known.bytes), sha256: known.sha256.hex, width: 0, height: 0, profile: "",
            bitDepth: 0))
      } else {
        reports[key]?.reportFile = JobReport.ReportFile(path: orphan.path)
      }
    }
    return jobs.compactMap { reports[$0] }
  }

  // MARK: - Folders

  /// Removes the folders that are empty now, and those above that become so; never the output folder.
  func removeEmptyFolders() throws -> Int {
    var count = 0
    for folder in touched.sorted(by: { $0.bytes.count > $1.bytes.count }) {
      var path = folder
      while !path.bytes.isEmpty {
        do {
          try places.output.removeDirectory(path.bytes)
          count += 1
        } catch {
          // Not empty, or not ours to remove: it stays.
          break
        }
        path = path.directory
        let above =
          path.bytes.isEmpty ? places.output : (try? places.output.openDirectory(path.bytes))
        try above?.synchronize()
      }
    }
    return count
  }
}
