import Glibc
import RenderModel
import Synchronization
import SystemSupport
import Testing
import WorkerPool
import WorkerProtocol

/// What is open in a job's process: what its plan names, and nothing else (P1).
@Suite("Descriptors of a job", .serialized)
struct DescriptorTests {
  /// Inodes and access modes of everything that a process has open.
  private static func open(in process: Int32) throws -> [Int32: (inode: UInt64, mode: Int32)] {
    let folder = try Directory(path: "/proc/\(process)/fd")
    var result: [Int32: (inode: UInt64, mode: Int32)] = [:]
    for entry in try folder.entries() {
      guard let number = Int32(String(decoding: entry.name, as: UTF8.self)) else { continue }
      var status = stat()
      guard unsafe stat("/proc/\(process)/fd/\(number)", &status) == 0 else { continue }
      result[number] = (UInt64(status.st_ino), try mode(of: number, in: process))
    }
    return result
  }

  private static func mode(of number: Int32, in process: Int32) throws -> Int32 {
    let info = try OwnedDescriptor.open(
      path: "/proc/\(process)/fdinfo/\(number)", flags: O_RDONLY)
    let text = String(decoding: try FileTransfer.readAll(info, limit: 4096), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("flags:") }
    let digits = line?.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    return (Int32(digits, radix: 8) ?? -1) & O_ACCMODE
  }

  private static func reopened(_ file: OwnedDescriptor) throws -> OwnedDescriptor {
    try OwnedDescriptor.open(path: "/proc/self/fd/\(file.rawValue)", flags: O_RDONLY)
  }

  private static func inode(_ file: OwnedDescriptor) throws -> UInt64 {
    try FileStatus(of: file).inode
  }

  @Test(
    "exactly original, files of filters and outputs are open, the first two for reading",
    .enabled(if: getuid() == 0, "another user's process cannot be looked into"),
    arguments: [(0, 1), (3, 2), (60, 4)])
  func exactly(files: Int, renditions: Int) throws {
    let original = try Self.reopened(try Drawing.jpegFile())
    let resources = try (0..<files).map {
      try Self.reopened(try Drawing.memoryFile(Array("file \($0)".utf8)))
    }
    let plan = RenderPlan(
      renditions: (0..<renditions).map { Rendition(name: "r\($0)") },
      resources: (0..<files).map { "\($0)" })
    let job = PoolJob(
      token: 1, purpose: .render(plan), deadline: DeadlinePolicy(baseMilliseconds: 3000),
      fault: InjectedFault(kind: .hang))
    let inode = try Self.inode(original)
    let pools = try Pools.run([PoolRequest(job: job, original: original, resources: resources)]) {
      try Self.look(for: inode)
    }
    let seen = try #require(pools.seen)
    let socketAndStreams = 4
    #expect(seen.count == socketAndStreams + 1 + files + renditions, "\(seen)")
    let byInode = Dictionary(seen.values.map { ($0.inode, $0.mode) }) { first, _ in first }
    #expect(byInode[try Self.inode(original)] == O_RDONLY)
    for file in resources { #expect(byInode[try Self.inode(file)] == O_RDONLY) }
    #expect(seen.values.count { $0.mode == O_RDWR } >= renditions)
    guard case .timedOut = pools.outcome?.verdict else {
      Issue.record("\(String(describing: pools.outcome))")
      return
    }
  }

  /// Waits until the job's process has closed what it does not keep, and hangs.
  ///
  /// `original`: the inode that tells the process from those of pools that other tests run beside it.
  private static func look(
    for original: UInt64
  ) throws -> [Int32: (inode: UInt64, mode: Int32)]? {
    var last: Set<Int32> = []
    var calm = 0
    for _ in 0..<200 {
      _ = poll(nil, 0, 10)
      guard let process = process(of: original), let open = try? Self.open(in: process.pid) else {
        continue
      }
      calm = Set(open.keys) == last ? calm + 1 : 0
      last = Set(open.keys)
      if calm >= 20 { return open }
    }
    return nil
  }

  /// The job's process, once it has the original open; nil when it has not, or is gone.
  private static func process(of original: UInt64) -> ProcessList.Entry? {
    let zygotes = Set(ProcessList.children(named: "minilab-zygote"))
    return ProcessList.all().first { process in
      zygotes.contains(process.parent)
        && ((try? open(in: process.pid))?.values.contains { $0.inode == original } ?? false)
    }
  }

  /// Those of these libraries whose code a process has.
  private static func code(of libraries: [String], in process: Int32) throws -> [String] {
    let maps = try OwnedDescriptor.open(path: "/proc/\(process)/maps", flags: O_RDONLY)
    let text = String(decoding: try FileTransfer.readAll(maps, limit: 1 << 20), as: UTF8.self)
    let files = text.split(separator: "\n").filter { $0.contains(" r-xp ") }
    return libraries.filter { name in files.contains { $0.contains("/\(name).so") } }
  }

  @Test(
    "the code of libraries for networks and documents stays in the zygote",
    .enabled(if: getuid() == 0, "another user's process cannot be looked into"))
  func libraries() throws {
    let original = try Self.reopened(try Drawing.jpegFile())
    let plan = RenderPlan(renditions: [Rendition(name: "full")])
    let job = PoolJob(
      token: 1, purpose: .render(plan), deadline: DeadlinePolicy(baseMilliseconds: 3000),
      fault: InjectedFault(kind: .hang))
    let inode = try Self.inode(original)
    let names = ["libcurl-gnutls", "libgnutls", "libkrb5", "libcairo"]
    let pools = try Pools.run([PoolRequest(job: job, original: original)]) {
      for _ in 0..<200 {
        _ = poll(nil, 0, 10)
        guard let process = Self.process(of: inode) else { continue }
        return (
          zygote: try Self.code(of: names, in: process.parent),
          job: try Self.code(of: names + ["libvips"], in: process.pid)
        )
      }
      return nil
    }
    let seen = try #require(pools.seen)
    // A libvips that brings none of them has nothing to leave behind, and the test nothing to say.
    #expect(!seen.zygote.isEmpty)
    #expect(seen.job == ["libvips"])
  }

  @Test("64 renditions of one job are rendered, and one more is refused before a process starts")
  func most() throws {
    for (count, code) in [(64, nil), (65, FailureCode.invalidJob)] {
      let plan = RenderPlan(renditions: (0..<count).map { Rendition(name: "r\($0)") })
      let outcome = try Pools.run([
        PoolRequest(
          job: PoolHarness.job(1, plan: plan),
          original: try Self.reopened(try Drawing.jpegFile()))
      ]) { nil as Int? }.outcome
      #expect(outcome?.failureCode == code, "\(String(describing: outcome))")
      #expect(outcome?.isRendered == (code == nil))
    }
  }

  @Test("a process whose plan and descriptors do not fit says so and renders nothing")
  func mismatch() throws {
    let plan = RenderPlan(renditions: [Rendition(name: "full")], resources: ["x.cube"])
    let outcome = try Pools.run([
      PoolRequest(
        job: PoolHarness.job(1, plan: plan), original: try Self.reopened(try Drawing.jpegFile()))
    ]) { nil as Int? }.outcome
    #expect(outcome?.failureCode == .internal)
  }

  @Test("a job that is tried again reads its files from their beginning")
  func secondAttempt() throws {
    let file = try Self.reopened(try Drawing.memoryFile(Array("LUT_3D_SIZE 2".utf8)))
    lseek(file.rawValue, 5, SEEK_SET)
    let plan = RenderPlan(renditions: [Rendition(name: "full")], resources: ["x.cube"])
    let outcome = try Pools.run([
      PoolRequest(
        job: PoolHarness.job(1, fault: InjectedFault(kind: .abort), plan: plan),
        original: try Self.reopened(try Drawing.jpegFile()), resources: [file])
    ]) { nil as Int? }.outcome
    #expect(outcome?.attempt == 2)
    #expect(outcome?.failureCode == .crashed)
    #expect(lseek(file.rawValue, 0, SEEK_CUR) == 0)
  }
}

/// A pool of one slot, looked at while it works.
private enum Pools {
  struct Result<Seen> {
    var outcome: PoolOutcome?
    var seen: Seen?
  }

  static func run<Seen: Sendable>(
    _ requests: [PoolRequest], look: @escaping @Sendable () throws -> Seen?
  ) throws -> Result<Seen> {
    let inbox = try PoolInbox(capacity: 8)
    let seen = Mutex<Seen?>(nil)
    let outcome = Mutex<PoolOutcome?>(nil)
    let observer = Threads.start(name: "observer") {
      for request in requests where !inbox.submit(request) { break }
      let found = (try? look()) ?? nil
      seen.withLock { $0 = found }
      inbox.close()
    }
    let pool = try WorkerPool(
      configuration: PoolConfiguration(slots: 1, memoryBudget: 4 << 30),
      settings: WorkerSettings(
        programPath: BuiltPrograms.worker, arguments: ["--zygote", "--allow-faults"]),
      inbox: inbox, signals: nil
    ) { finished in
      outcome.withLock { $0 = finished.outcome }
      inbox.published(finished.token)
    }
    _ = try pool.run()
    observer.join()
    return Result(outcome: outcome.withLock { $0 }, seen: seen.withLock { $0 })
  }
}
