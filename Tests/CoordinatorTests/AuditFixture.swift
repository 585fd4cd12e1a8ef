import Digest
import Glibc
import Journal
import Ledger
import RenderModel
import Reporting
import Synchronization
import SystemSupport
import Testing

@testable import Coordinator

/// An output folder with runs whose reports are written by hand, and one ledger for all that opens it.
final class AuditFixture {
  let path = "/tmp/minilab-audit-\(RandomBytes.hex(8))"
  let output: Directory
  let state: Directory
  let ledger = MemoryLedger()
  let notes = Notes()
  private var runs = 0

  init() throws {
    output = try Directory(path: path, creating: true)
    state = try output.makeDirectories(Array(".minilab".utf8))
  }

  deinit { try? Directory(path: "/tmp").removeTree(Array(path.dropFirst("/tmp/".count).utf8)) }

  func access(isStopped: @escaping @Sendable () -> Bool = { false }) -> LibraryAccess {
    let (ledger, notes) = (ledger, notes)
    return LibraryAccess(
      outputPath: Array(path.utf8), statePath: nil,
      openLedger: { _ throws(LedgerError) in ledger }, onNote: { notes.add($0) },
      isStopped: isStopped)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> FileStatus {
    let path = RelativePath(name)
    let folder = try output.makeDirectories(path.directory.bytes)
    let file = try folder.openBeneath(
      path.lastComponent, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try FileTransfer.writeAll(file, Array(text.utf8))
    return try FileStatus(of: file)
  }

  /// The report of a job whose outputs are what lies under these names now.
  ///
  /// `identified`: their identities are recorded, as settled.
  func report(
    _ job: String, _ names: [String], reportFile: String? = nil, identified: Bool = true
  ) throws -> JobReport {
    var report = JobReport(
      job: job, run: "", attempt: 1, asset: .init(path: RelativePath(job)),
      outcome: Outcome(.rendered))
    report.finished = "2199-01-31T12:00:00.000Z"
    report.renditions = try names.enumerated().map { index, name in
      let file = try output.openBeneath(Array(name.utf8), flags: O_RDONLY)
      let bytes = try FileTransfer.readAll(file, limit: 1 << 20)
      let status = try FileStatus(of: file)
      return JobReport.RenditionEntry(
        name: "r\(index)", path: RelativePath(name), type: "public.jpeg", bytes: bytes.count,
        sha256: SHA256Value.of(bytes).hex, width: 1, height: 1, profile: "sRGB", bitDepth: 8,
        identity: identified ? status.identity : nil)
    }
    if let reportFile {
      report.reportFile = JobReport.ReportFile(path: RelativePath(reportFile))
    }
    return report
  }

  /// Writes the journal of a whole run of these reports.
  @discardableResult
  func run(_ reports: [JobReport], intents: Bool = true, isFinished: Bool = true) throws
    -> RunIdentifier
  {
    runs += 1
    let digits = String(runs)
    let number = String(repeating: "0", count: 6 - digits.count) + digits
    let run = try #require(RunIdentifier(name: Array("20260131T\(number)Z-00000000".utf8)))
    let folder = try RunFolder.create(run, state: state, output: output)
    let journal = try JournalWriter(creatingIn: folder.directory)
    try journal.append([
      .run(RunStart(run: run.text, node: "lab", started: "2026-01-31T12:00:00Z", manifests: []))
    ])
    for var report in reports {
      report.run = run.text
      if intents { try journal.append([.intent(Intent(names: [], report: report))]) }
      try journal.append([.report(report)])
    }
    guard isFinished else { return run }
    try folder.removeStaging()
    try journal.append([.end(Journal.RunEnd(run: run.text, finished: "x", totals: .init()))])
    return run
  }

  func runNames() throws -> [String] { try RunFolder.identifiers(state: state).map(\.text) }
}
