import Glibc
import JSONText
import Journal
import Ledger
import RenderModel
import SQLiteLedger
import SystemSupport

/// An output folder as it is after many jobs were rendered: one is, and its report stands for all.
///
/// Every job has a file of its own and a report of its own with that file's identity.
struct RenderedLibrary {
  let work: String
  let jobs: Int

  var output: String { work + "/out" }

  /// The command line of the run that has nothing to do.
  var render: [String] {
    [
      "render", "\(work)/\(ManifestText.name)", "--output", output, "--progress", "none",
      "--format", "json",
    ]
  }

  private static let rendition =
    #"{"name": "small", "type": "public.jpeg", "targetSize": [64, 64]}"#

  private static func name(_ job: Int) -> String { "\(job / 1000)-\(job)" }

  func make() throws {
    let folder = try Directory(path: work, creating: true)
    try ScaleCommand.drawPhoto(folder)
    try writeManifest(folder, 1)
    _ = try MeasuredProgram.run("minilab", render)
    let state = try Directory(path: output + "/.minilab")
    guard let run = try RunFolder.identifiers(state: state).first else {
      throw BenchFailure("there is no run")
    }
    let (intent, report) = try lines(of: run, state)
    try writeManifest(folder, jobs)
    let identities = try copyOutput()
    // What is read of the files later must have settled before the reports were made.
    _ = poll(nil, 0, 100)
    try writeJournal(run, state, intent, report, identities)
  }

  private func writeManifest(_ folder: Directory, _ count: Int) throws {
    try ManifestText.write(
      folder, library: work, rendition: Self.rendition,
      lines: (0..<count).lazy.map { (Self.name($0), "tiny.jpg") })
  }

  private func lines(of run: RunIdentifier, _ state: Directory) throws -> (Intent, JobReport) {
    let folder = try RunFolder.open(run, state: state, output: try Directory(path: output))
    var (intent, report): (Intent?, JobReport?) = (nil, nil)
    if var reader = try JournalReader.open(folder.directory) {
      while let line = try reader.next() {
        switch line {
        case .intent(let found): intent = found
        case .report(let found): report = found
        case .run, .end, .release: break
        }
      }
    }
    guard let intent, let report, report.renditions.count == 1 else {
      throw BenchFailure("the journal of the one job is not what it should be")
    }
    return (intent, report)
  }

  private func copyOutput() throws -> [FileIdentity] {
    let output = try Directory(path: output)
    let bytes = try FileTransfer.readAll(
      try output.openBeneath(Array("\(Self.name(0)).jpg".utf8), flags: O_RDONLY), limit: 1 << 20)
    var identities: [FileIdentity] = []
    for job in 0..<jobs {
      let file = try output.openBeneath(
        Array("\(Self.name(job)).jpg".utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      try FileTransfer.writeAll(file, bytes)
      let status = try FileStatus(of: file)
      identities.append(
        FileIdentity(
          inode: status.inode, size: status.size, modified: status.modified,
          changed: status.changed))
    }
    return identities
  }

  /// Intents and reports in groups, as the publisher writes them.
  private func writeJournal(
    _ run: RunIdentifier, _ state: Directory, _ intent: Intent, _ report: JobReport,
    _ identities: [FileIdentity]
  ) throws {
    let folder = try RunFolder.open(run, state: state, output: try Directory(path: output))
    try folder.directory.remove(JournalWriter.fileName)
    let journal = try JournalWriter(creatingIn: folder.directory)
    let finished = WallClock.iso8601(WallClock.now())
    try journal.append([
      .run(RunStart(run: run.text, node: "bench", started: finished, manifests: []))
    ])
    for start in stride(from: 0, to: jobs, by: 64) {
      let reports = (start..<min(start + 64, jobs)).map { job in
        var copy = report
        copy.job = Self.name(job)
        copy.finished = finished
        copy.renditions[0].path = "\(Self.name(job)).jpg"
        copy.renditions[0].identity = identities[job]
        return copy
      }
      try journal.append(
        reports.map { report in
          var copy = intent
          copy.job = report.job
          copy.names[0].path = report.renditions[0].path
          copy.report = report
          return .intent(copy)
        })
      try journal.append(reports.map { .report($0) })
    }
    try journal.append([
      .end(RunEnd(run: run.text, finished: finished, totals: nil))
    ])
    try journal.synchronize()
  }

  /// Throws unless the run found every job up to date.
  func requireFresh(_ summary: [UInt8]) throws {
    let totals = try JSONParser.parse(summary[...]).value["totals"]
    guard totals?["fresh"]?.number?.integer == jobs else {
      throw BenchFailure(
        "not all jobs were up to date: \(String(decoding: summary, as: UTF8.self))")
    }
  }

  func removeLedger() throws {
    try Directory(path: output + "/.minilab").remove(SQLiteLedger.fileName)
  }

  func ledgerSize() throws -> Int64 {
    try Directory(path: output + "/.minilab").status(SQLiteLedger.fileName)?.size ?? 0
  }

  /// What the ledger knows, in order.
  func entries() throws -> [LedgerEntry] {
    let ledger = try SQLiteLedger.open(in: try Directory(path: output + "/.minilab"))
    return try ledger.entries(after: nil, limit: jobs)
  }
}
