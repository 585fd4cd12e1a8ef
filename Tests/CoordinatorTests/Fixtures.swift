import Glibc
import Journal
import Ledger
import RenderModel
import SystemSupport
import WorkerPool

@testable import Coordinator

/// A run's folders and setting in a temporary folder, without a worker.
final class RunFixture {
  let path: String
  let library: Directory
  let output: Directory
  let staging: Directory
  let ledger = MemoryLedger()
  let setting: RunSetting
  let jobs = JobTable()
  private(set) var nextToken: UInt64 = 1

  init(overlap: LibraryOverlap = .nowhere, outputBytes: Int = 1 << 20) throws {
    path = "/tmp/minilab-coordinator-\(RandomBytes.hex(8))"
    library = try Directory(path: path + "/library", creating: true)
    output = try Directory(path: path + "/out", creating: true)
    staging = try Directory(path: path + "/out/.minilab/runs/R/staging", creating: true)
    setting = RunSetting(
      run: "R", library: library, output: output, staging: staging, ledger: ledger,
      overlap: overlap, caseInsensitive: false, outputBytes: outputBytes,
      inbox: try PoolInbox(capacity: 4))
  }

  deinit {
    let name = path.dropFirst("/tmp/".count)
    try? Directory(path: "/tmp").removeTree(Array(name.utf8))
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8], in directory: Directory? = nil) throws -> FileStatus
  {
    let directory = directory ?? output
    let path = RelativePath(name)
    let folder = try directory.makeDirectories(path.directory.bytes)
    let file = try folder.openBeneath(
      path.lastComponent, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try FileTransfer.writeAll(file, bytes)
    return try FileStatus(of: file)
  }

  func read(_ name: String) throws -> [UInt8] {
    try FileTransfer.readAll(
      try output.openBeneath(Array(name.utf8), flags: O_RDONLY), limit: 1 << 20)
  }

  /// A job of one asset with these output names, waiting for its process's answer.
  func context(_ id: String, outputs: [String]) throws -> JobContext {
    let asset = RelativePath("\(id).png")
    let job = Job(
      id: id, asset: asset, adjustment: .none,
      outputs: try outputs.enumerated().map {
        Job.Output(
          rendition: Rendition(name: "r\($0)"), template: try OutputTemplate.parse($1))
      })
    defer { nextToken += 1 }
    return JobContext(
      token: nextToken, job: job, asset: JobReport.Asset(path: asset), assetPath: asset,
      taken: BootClock.now())
  }

  /// The answer of a process that rendered every rendition of the job.
  func rendered(_ context: JobContext, _ contents: [[UInt8]], claims: [Int]? = nil) throws
    -> Completion
  {
    jobs.insert(context)
    let outputs = context.job.outputs.enumerated().map { index, output in
      RenderResult.Output(
        name: output.rendition.name, type: output.rendition.type,
        bytes: claims?[index] ?? contents[index].count, width: 4, height: 3, profile: "sRGB",
        bitDepth: 8)
    }
    let verdict = PoolOutcome.Verdict.rendered(RenderResult(outputs: outputs))
    return .finished(
      PoolFinished(
        token: context.token, outcome: .made(verdict), outputs: try contents.map(memoryFile)))
  }

  func finished(_ context: JobContext, _ verdict: PoolOutcome.Verdict) -> Completion {
    jobs.insert(context)
    return .finished(
      PoolFinished(token: context.token, outcome: .made(verdict), outputs: []))
  }

  /// Publishes the completions and gives what the journal says afterwards.
  func publish(
    _ completions: [Completion], journal name: String = "J", setting: RunSetting? = nil
  ) throws -> [JournalLine] {
    let folder = try output.makeDirectories(Array(".minilab/runs/R/\(name)".utf8))
    let journal = try JournalWriter(creatingIn: folder)
    let queue = BoundedQueue<Completion>(capacity: 64)
    for completion in completions { _ = queue.push(completion) }
    queue.close()
    let publisher = Publisher(
      setting: setting ?? self.setting, journal: journal, jobs: jobs,
      progress: RunProgress(listener: { _ in }, onReport: { _ in }))
    try publisher.run(queue)
    var lines: [JournalLine] = []
    guard var reader = try JournalReader.open(folder) else { return [] }
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  /// Waits until what is written from now on has a time that lies after this moment.
  func waitForTick() {
    let now = WallClock.now()
    var time = timespec()
    repeat {
      unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    } while Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) <= now
  }

  /// Names that are still in the staging folder.
  func staged() throws -> [String] {
    try staging.entries().map { String(decoding: $0.name, as: UTF8.self) }.sorted()
  }
}

extension PoolOutcome {
  /// An outcome of which only the verdict matters.
  static func made(_ verdict: Verdict) -> PoolOutcome {
    PoolOutcome(
      verdict: verdict, attempt: 1, header: nil, usage: ProcessUsage(), queueTime: 0,
      headerTime: 0, totalTime: 0, deadlineLimit: nil, overshoot: nil)
  }
}

/// What begins as a JPEG does.
func jpegBytes(_ text: String) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0] + Array(text.utf8) }

/// Sealed, as the pool hands outputs over.
func memoryFile(_ bytes: [UInt8]) throws -> OwnedDescriptor {
  let file = try MemoryFile.create(name: "test")
  try FileTransfer.writeAll(file, bytes)
  try MemoryFile.seal(file)
  return file
}

extension [JournalLine] {
  var reports: [JobReport] {
    compactMap { line in
      guard case .report(let report) = line else { return nil }
      return report
    }
  }

  /// `intent` or `report` and the job, in the order of the lines.
  var story: [String] {
    compactMap { line in
      switch line {
      case .intent(let intent): "intent \(intent.job)"
      case .report(let report): "report \(report.job)"
      case .run, .end: nil
      }
    }
  }
}
