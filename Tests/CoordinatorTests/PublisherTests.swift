import Glibc
import Journal
import Ledger
import RenderModel
import SystemSupport
import Testing
import WorkerPool

@testable import Coordinator

/// Sets of outputs on their way to their names, with answers made up by the test.
@Suite("Publisher")
struct PublisherTests {
  @Test("a set is named in the intent, placed, and reported with the identity of its files")
  func published() throws {
    let fixture = try RunFixture()
    let context = try fixture.context("a", outputs: ["x/a.jpg", "a.jpg"])
    let lines = try fixture.publish(
      [try fixture.rendered(context, [jpegBytes("one"), jpegBytes("two")])])
    #expect(lines.story == ["intent a", "report a"])
    #expect(try fixture.read("x/a.jpg") == jpegBytes("one"))
    #expect(try fixture.read("a.jpg") == jpegBytes("two"))
    let report = try #require(lines.reports.first)
    #expect(report.outcome.state == "rendered")
    #expect(report.renditions.map(\.path) == ["x/a.jpg", "a.jpg"])
    for rendition in report.renditions {
      let path = try #require(rendition.relativePath)
      #expect(rendition.identity == (try fixture.output.status(path.bytes)?.identity))
    }
    guard case .intent(let intent) = lines.first else {
      Issue.record("no intent")
      return
    }
    #expect(intent.names.map(\.path) == ["x/a.jpg", "a.jpg"])
    #expect(intent.names.map(\.sha256) == report.renditions.map(\.sha256))
    #expect(try fixture.staged() == [])
  }

  @Test("what was published is fresh the next time without a byte of it read")
  func settled() throws {
    let fixture = try RunFixture()
    let source = try fixture.write("a.png", [1], in: fixture.library)
    fixture.waitForTick()
    var context = try fixture.context("a", outputs: ["a.jpg", "x/b.jpg"])
    context.asset.identity = source.identity
    context.asset.sha256 = "source"
    context.recipe = "r"
    let lines = try fixture.publish(
      [try fixture.rendered(context, [jpegBytes("one"), jpegBytes("two")])])
    let report = try #require(lines.reports.first)
    try fixture.ledger.absorb([report], upTo: nil)
    let entry = try #require(fixture.ledger.lookUp([LedgerKey(job: "a")]).first.flatMap { $0 })
    let question = FreshnessQuestion(
      output: fixture.setting.output, entry: entry, context: context, adjustment: .none,
      isForced: false)
    #expect(question.decide() == .fresh)
  }

  @Test("an output that somebody touches meanwhile is read again the next time")
  func touchedMeanwhile() throws {
    let fixture = try RunFixture()
    try fixture.write("a.jpg", jpegBytes("one"))
    try fixture.write("b.jpg", jpegBytes("two"))
    let identities = try ["a.jpg", "b.jpg"].map {
      try fixture.output.status(Array($0.utf8))?.identity
    }
    let context = try fixture.context("a", outputs: [])
    var report = fixture.setting.report(context, outcome: Outcome(.rendered), attempt: 1)
    report.renditions = zip(["a.jpg", "b.jpg"], identities).map { path, identity in
      JobReport.RenditionEntry(
        name: path, path: RelativePath(path), type: "public.jpeg", bytes: 7, sha256: "", width: 1,
        height: 1, profile: "sRGB", bitDepth: 8, identity: identity)
    }
    try fixture.write("b.jpg", jpegBytes("changed"))
    OutputSettling.confirm(&report, in: fixture.output)
    #expect(report.renditions.map { $0.identity != nil } == [true, false])
  }

  @Test("all intents of a group come before all its reports")
  func group() throws {
    let fixture = try RunFixture()
    let completions = try ["a", "b"].map { id in
      try fixture.rendered(try fixture.context(id, outputs: ["\(id).jpg"]), [jpegBytes(id)])
    }
    let settled = try fixture.context("c", outputs: ["c.jpg"])
    let lines = try fixture.publish(
      completions + [.settled(settled, .kept(.unknownFormat, detail: "kept"))])
    #expect(lines.story == ["intent a", "intent b", "report a", "report b", "report c"])
    #expect(lines.reports.last?.outcome.state == "kept")
  }

  @Test("a name that cannot be placed fails the set; what was placed before is told")
  func renameFails() throws {
    let fixture = try RunFixture()
    // Neither name is there at first; then the first one is a file where the second wants a folder.
    let context = try fixture.context("a", outputs: ["x", "x/b.jpg"])
    let lines = try fixture.publish(
      [try fixture.rendered(context, [jpegBytes("one"), jpegBytes("two")])])
    #expect(lines.story == ["intent a", "report a"])
    let report = try #require(lines.reports.first)
    #expect(report.outcome.code == "outputConflict")
    #expect(report.outcome.stage == "publish")
    #expect(report.renditions.map(\.path) == ["x"])
    #expect(try fixture.staged() == [])
    #expect(!fixture.setting.isStopping)
  }

  @Test("an output that is not what was claimed gets no name and no intent")
  func notAsClaimed() throws {
    let fixture = try RunFixture()
    try fixture.write("a.jpg", Array("old".utf8))
    let context = try fixture.context("a", outputs: ["a.jpg", "b.jpg"])
    let lines = try fixture.publish(
      [
        try fixture.rendered(
          context, [jpegBytes("one"), jpegBytes("two")], claims: [7, 70])
      ])
    #expect(lines.story == ["report a"])
    #expect(lines.reports.first?.outcome.code == "internal")
    #expect(lines.reports.first?.renditions.isEmpty == true)
    #expect(try fixture.read("a.jpg") == Array("old".utf8))
    #expect(try fixture.output.status(Array("b.jpg".utf8)) == nil)
    #expect(try fixture.staged() == [])
  }

  @Test("fewer outputs than renditions are no success")
  func missingOutput() throws {
    let fixture = try RunFixture()
    let context = try fixture.context("a", outputs: ["a.jpg", "b.jpg"])
    fixture.jobs.insert(context)
    let result = RenderResult(outputs: [
      .init(
        name: "r0", type: .jpeg, bytes: 5, width: 1, height: 1, profile: "sRGB", bitDepth: 8)
    ])
    let finished = PoolFinished(
      token: context.token, outcome: .made(.rendered(result)),
      outputs: [try memoryFile(jpegBytes("x"))])
    let lines = try fixture.publish([.finished(finished)])
    #expect(lines.reports.map(\.outcome.code) == ["internal"])
    #expect(try fixture.output.status(Array("a.jpg".utf8)) == nil)
  }

  @Test("folders, links and other jobs' late names are conflicts")
  func conflicts() throws {
    let fixture = try RunFixture()
    _ = try fixture.output.makeDirectories(Array("folder.jpg".utf8))
    try SystemError.retrying("symlink") {
      unsafe symlink("/etc/hostname", fixture.path + "/out/link.jpg")
    }
    let outputs = ["folder.jpg", "link.jpg", "{width}.jpg", "{width}.jpg"]
    let completions = try outputs.enumerated().map { index, output in
      try fixture.rendered(
        try fixture.context("\(index)", outputs: [output]), [jpegBytes("\(index)")])
    }
    let lines = try fixture.publish(completions)
    #expect(
      lines.reports.map(\.outcome.code) == [
        "outputConflict", "outputConflict", nil, "outputConflict",
      ]
    )
    #expect(try fixture.read("4.jpg") == jpegBytes("2"))
  }

  @Test("a name of before and a late one never meet, whichever comes first")
  func mixedNames() throws {
    func outcomes(_ first: String, _ second: String, apart: Bool) throws -> [String?] {
      let fixture = try RunFixture()
      // In one group, or with the first name in place before the second job comes.
      let groups = apart ? [[first], [second]] : [[first, second]]
      var reports: [JobReport] = []
      for group in groups {
        let completions = try group.map { output in
          let id = "\(output == first ? 0 : 1)"
          return try fixture.rendered(
            try fixture.context(id, outputs: [output]), [jpegBytes(id)])
        }
        reports += try fixture.publish(completions, journal: "J\(reports.count)").reports
      }
      #expect(try fixture.read("4.jpg") == jpegBytes("0"))
      return reports.map(\.outcome.code)
    }
    for apart in [false, true] {
      #expect(try outcomes("4.jpg", "{width}.jpg", apart: apart) == [nil, "outputConflict"])
      #expect(try outcomes("{width}.jpg", "4.jpg", apart: apart) == [nil, "outputConflict"])
    }
  }

  @Test("what an earlier run left under a late name is replaced")
  func lateNameAgain() throws {
    let fixture = try RunFixture()
    // Its times are later than the run's beginning, as after a clock that was set back.
    try fixture.write("4.jpg", Array("old".utf8))
    let context = try fixture.context("a", outputs: ["{width}.jpg"])
    let lines = try fixture.publish([try fixture.rendered(context, [jpegBytes("new")])])
    #expect(lines.reports.map(\.outcome.code) == [nil])
    #expect(try fixture.read("4.jpg") == jpegBytes("new"))
  }

  @Test("an original is never replaced by its own render, nor another photo in the library")
  func originals() throws {
    let fixture = try RunFixture(overlap: .everywhere)
    let status = try fixture.write("a.jpg", jpegBytes("original"))
    try fixture.write("b.jpg", jpegBytes("other photo"))
    try fixture.write("mine.jpg", jpegBytes("my last render"))
    var own = try fixture.context("a", outputs: ["a.jpg"])
    own.sourceStatus = status
    let other = try fixture.context("b", outputs: ["b.jpg"])
    let mine = try fixture.context("c", outputs: ["mine.jpg"])
    var entry = LedgerEntry(
      job: "c", asset: mine.assetPath, outcome: .rendered, run: "Q", finished: 0)
    entry.outputs = [
      .init(
        rendition: "r0", path: RelativePath("mine.jpg"), sha256: "", bytes: 0, identity: nil)
    ]
    try fixture.ledger.record([entry])
    let lines = try fixture.publish(
      [own, other, mine].map { try fixture.rendered($0, [jpegBytes("new")]) })
    #expect(lines.reports.map(\.outcome.code) == ["outputConflict", "outputConflict", nil])
    #expect(try fixture.read("a.jpg") == jpegBytes("original"))
    #expect(try fixture.read("b.jpg") == jpegBytes("other photo"))
    #expect(try fixture.read("mine.jpg") == jpegBytes("new"))
  }

  @Test(
    "in the library a report file replaces only the one that went with the job's last render",
    arguments: [true, false])
  func reportInLibrary(isOwn: Bool) throws {
    let fixture = try RunFixture(overlap: .everywhere)
    try fixture.write("a.jpg", jpegBytes("my last render"))
    try fixture.write("a.json", Array("somebody's".utf8))
    var context = try fixture.context("a", outputs: ["a.jpg"])
    context.job.reportTemplate = OutputTemplate(pieces: [.literal(Array("a.json".utf8))])
    var entry = LedgerEntry(
      job: "a", asset: context.assetPath, outcome: .rendered, run: "Q", finished: 0)
    entry.outputs = [
      .init(rendition: "r0", path: RelativePath("a.jpg"), sha256: "", bytes: 0, identity: nil)
    ]
    entry.reportFile = isOwn ? RelativePath("a.json") : RelativePath("old.json")
    try fixture.ledger.record([entry])
    let lines = try fixture.publish([try fixture.rendered(context, [jpegBytes("new")])])
    #expect(lines.reports.map(\.outcome.code) == [isOwn ? nil : "outputConflict"])
    #expect(lines.reports.first?.reportFile?.path == (isOwn ? "a.json" : nil))
    #expect(try (fixture.read("a.json") == Array("somebody's".utf8)) == !isOwn)
  }

  @Test("a folder that was deleted during the run is made again")
  func folderGone() throws {
    let fixture = try RunFixture()
    let folder = try fixture.output.makeDirectories(Array(".minilab/runs/R/J".utf8))
    let publisher = Publisher(
      setting: fixture.setting, journal: try JournalWriter(creatingIn: folder),
      jobs: fixture.jobs, progress: RunProgress(listener: { _ in }, onReport: { _ in }))
    for id in ["a", "b"] {
      let queue = BoundedQueue<Completion>(capacity: 4)
      let context = try fixture.context(id, outputs: ["x/y/\(id).jpg"])
      _ = queue.push(try fixture.rendered(context, [jpegBytes(id)]))
      queue.close()
      try publisher.run(queue)
      #expect(try fixture.read("x/y/\(id).jpg") == jpegBytes(id))
      if id == "a" { try fixture.output.removeTree(Array("x".utf8)) }
    }
    #expect(!fixture.setting.isStopping)
    var reader = try #require(try JournalReader.open(folder))
    var states: [String] = []
    while let report = try reader.nextReport() { states.append(report.outcome.state) }
    #expect(states == ["rendered", "rendered"])
  }

  @Test("where the library lies in the output folder, only names in it are guarded")
  func libraryInside() throws {
    let fixture = try RunFixture()
    let library = try fixture.output.makeDirectories(Array("photos/2024".utf8))
    let setting = RunSetting(
      run: "R", library: library, output: fixture.output, staging: fixture.staging,
      ledger: fixture.ledger, overlap: .inLibrary, caseInsensitive: false, outputBytes: 1,
      inbox: try PoolInbox(capacity: 1))
    #expect(setting.mayHoldOriginals(RelativePath("photos/2024")))
    _ = try library.makeDirectories(Array("deep/er".utf8))
    #expect(setting.mayHoldOriginals(RelativePath("photos/2024/deep/er")))
    #expect(!setting.mayHoldOriginals(RelativePath("photos")))
    #expect(!setting.mayHoldOriginals(RelativePath("")))
  }

  @Test("a full disk stops the run, whoever found it")
  func diskFull() throws {
    let fixture = try RunFixture()
    let failure = RenderFailure(code: .diskFull, stage: .publish, detail: "no room")
    let context = try fixture.context("a", outputs: ["a.jpg"])
    let lines = try fixture.publish([fixture.finished(context, .failed(failure))])
    #expect(lines.reports.map(\.outcome.code) == ["diskFull"])
    #expect(fixture.setting.isStopping)
    #expect(fixture.setting.stopCause == failure)
  }

  @Test("jobs that the pool never finished are cancelled, in their order")
  func leftOver() throws {
    let fixture = try RunFixture()
    for id in ["a", "b", "c"] { fixture.jobs.insert(try fixture.context(id, outputs: ["x"])) }
    let finished = try fixture.context("d", outputs: ["d.jpg"])
    let lines = try fixture.publish([try fixture.rendered(finished, [jpegBytes("d")])])
    #expect(lines.reports.map(\.job) == ["d", "a", "b", "c"])
    #expect(
      lines.reports.map(\.outcome.state) == ["rendered", "cancelled", "cancelled", "cancelled"])
  }

  @Test(
    "a large file of a filter that changed while it was read publishes nothing",
    arguments: [true, false])
  func filterFileChanged(isChanged: Bool) throws {
    let fixture = try RunFixture()
    let status = try fixture.write("x.cube", [1, 2, 3], in: fixture.library)
    var context = try fixture.context("a", outputs: ["a.jpg"])
    let path = RelativePath("x.cube")
    context.sharedFiles = [
      FilterFiles.Found(
        path: path, name: "x.cube",
        descriptor: try fixture.library.openBeneath(path.bytes, flags: O_RDONLY), status: status)
    ]
    if isChanged { try fixture.write("x.cube", [1, 2, 3, 4], in: fixture.library) }
    let lines = try fixture.publish([try fixture.rendered(context, [jpegBytes("new")])])
    #expect(lines.reports.map(\.outcome.code) == [isChanged ? "inputChanged" : nil])
    #expect(lines.reports[0].outcome.detail?.contains("x.cube") == (isChanged ? true : nil))
    #expect(try (fixture.output.status(Array("a.jpg".utf8)) == nil) == isChanged)
  }

  @Test(
    "a shared original that changed while it was rendered publishes nothing, whatever came of it",
    arguments: [nil, PoolOutcome.Verdict.timedOut(.encode)])
  func inputChanged(verdict: PoolOutcome.Verdict?) throws {
    let fixture = try RunFixture()
    let status = try fixture.write("a.png", [1, 2, 3], in: fixture.library)
    var context = try fixture.context("a", outputs: ["a.jpg"])
    context.sourceStatus = status
    context.sharedOriginal = try fixture.library.openBeneath(
      Array("a.png".utf8), flags: O_RDONLY)
    try fixture.write("a.png", [1, 2, 3, 4], in: fixture.library)
    let completion =
      try verdict.map { fixture.finished(context, $0) }
      ?? fixture.rendered(context, [jpegBytes("new")])
    let lines = try fixture.publish([completion])
    #expect(lines.reports.map(\.outcome.code) == ["inputChanged"])
    #expect(try fixture.output.status(Array("a.jpg".utf8)) == nil)
  }
}
