import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Journal

@Suite struct RecoveryTests {
  let folder: TemporaryFolder
  let output: Directory
  let run: RunFolder
  let staging: Directory

  init() throws {
    folder = try TemporaryFolder()
    output = folder.directory
    let state = try output.makeDirectories(Array(".minilab".utf8))
    let identifier = RunIdentifier(now: 1_769_860_800_000_000_000, random: "0123abcd")
    run = try RunFolder.create(identifier, state: state, output: output)
    staging = try #require(try run.staging())
  }

  private static let paths = ["2024/a.full.jpg", "2024/a.preview.jpg", "2024/a.report.json"]

  private func content(_ index: Int) -> [UInt8] { Array("new bytes of name \(index)".utf8) }

  private func intent(_ job: String = "a") -> Intent {
    var finished = report(job)
    finished.renditions = Self.paths.indices.dropLast().map { index in
      JobReport.RenditionEntry(
        name: "\(index)", path: RelativePath(Self.paths[index]), type: "public.jpeg", bytes: 1,
        sha256: fingerprint(content(index)), width: 1, height: 1, profile: "sRGB", bitDepth: 8,
        identity: FileIdentity(inode: 1, size: 1, modified: 1, changed: 1))
    }
    return Intent(
      names: Self.paths.indices.map { index in
        Intent.Name(
          rendition: index == 2 ? nil : "\(index)", path: RelativePath(Self.paths[index]),
          staged: "1-\(index)", sha256: fingerprint(content(index)), bytes: content(index).count)
      }, report: finished)
  }

  private func journal(_ lines: [JournalLine]) throws {
    let writer = try JournalWriter(creatingIn: run.directory)
    try writer.append([.run(start)] + lines)
  }

  private func stage(_ indices: some Sequence<Int>) throws {
    for index in indices { try write(staging, Array("1-\(index)".utf8), content(index)) }
  }

  private func place(_ indices: some Sequence<Int>) throws {
    for index in indices { try write(output, Array(Self.paths[index].utf8), content(index)) }
  }

  private func recover(digest: @escaping Recovery.Digest = { try fingerprint($0) }) throws
    -> Recovery.Result
  {
    try Recovery.recover(
      run, output: output, finished: "2026-01-31T13:00:00Z", digest: digest)
  }

  private func journalText() throws -> [UInt8] {
    try folder.read(".minilab/runs/\(runName)/journal.jsonl")
  }

  private func reports() throws -> [JobReport] {
    try readAll(run.directory).lines.compactMap { line in
      if case .report(let report) = line { report } else { nil }
    }
  }

  @Test(
    "a set is completed from wherever a crash left it",
    arguments: [0b000, 0b001, 0b011, 0b111, 0b100])
  func completed(placed: Int) throws {
    try journal([.intent(intent())])
    let isPlaced = { (index: Int) in placed >> index & 1 == 1 }
    try place((0..<3).filter(isPlaced))
    try stage((0..<3).filter { !isPlaced($0) })
    let result = try recover()
    #expect(result.completed == ["a"])
    #expect(result.left.isEmpty)
    for index in 0..<3 { #expect(try folder.read(Self.paths[index]) == content(index)) }
    #expect(try run.staging() == nil)
    #expect(try run.isFinished())
    let report = try #require(try reports().first)
    #expect(try reports().count == 1)
    #expect(report.outcome.state == "rendered")
    #expect(report.renditions.map(\.sha256) == [fingerprint(content(0)), fingerprint(content(1))])
    #expect(report.renditions.allSatisfy { $0.identity == nil })
    #expect(
      try readAll(run.directory).lines.last
        == .end(
          RunEnd(
            run: runName, finished: "2026-01-31T13:00:00Z", totals: nil)))
  }

  @Test("old bytes under the final names are replaced by the staged ones")
  func replaced() throws {
    for path in Self.paths { try write(output, path, "old bytes") }
    try journal([.intent(intent())])
    try stage(0..<3)
    #expect(try recover().completed == ["a"])
    for index in 0..<3 { #expect(try folder.read(Self.paths[index]) == content(index)) }
  }

  @Test("a set with a name nowhere is left as it is, to be done again", arguments: [0, 1, 2])
  func nowhere(lost: Int) throws {
    for path in Self.paths { try write(output, path, "old bytes") }
    try journal([.intent(intent())])
    try stage((0..<3).filter { $0 != lost })
    let result = try recover()
    #expect(result.left == ["a"])
    #expect(result.completed.isEmpty)
    for path in Self.paths { #expect(try folder.read(path) == Array("old bytes".utf8)) }
    #expect(try reports().isEmpty)
    #expect(try run.isFinished())
  }

  @Test("staged bytes are believed only with the right digest and length")
  func wrongDigest() throws {
    try journal([.intent(intent())])
    try stage(0..<2)
    var flipped = content(2)
    flipped[0] ^= 1
    try write(staging, Array("1-2".utf8), flipped)
    #expect(try recover().left == ["a"])
    #expect(try folder.names() == [".minilab"])
  }

  @Test("a file of another length is not even read")
  func wrongLength() throws {
    try journal([.intent(intent())])
    try write(staging, Array("1-0".utf8), content(0) + [0])
    let result = try recover { _ in
      Issue.record("nothing has the right length")
      return ""
    }
    #expect(result.left == ["a"])
  }

  @Test("a file that can't be read is as good as none")
  func unreadable() throws {
    try journal([.intent(intent())])
    try stage(0..<3)
    #expect(try recover { _ in throw SystemError(operation: "read", errno: EIO) }.left == ["a"])
  }

  @Test("pipes, folders and links under the names are not taken for files")
  func notFiles() throws {
    try journal([.intent(intent())])
    try stage(0..<2)
    let pipe = folder.path + "/.minilab/runs/\(runName)/staging/1-2"
    try SystemError.retrying("mkfifo") { unsafe mkfifo(pipe, 0o644) }
    try write(folder.directory, "elsewhere", String(decoding: content(2), as: UTF8.self))
    _ = try output.makeDirectories(Array("2024".utf8))
    try link("../elsewhere", folder.path + "/2024/a.report.json")
    #expect(try recover().left == ["a"])
    #expect(try folder.names("2024") == ["a.report.json"])
  }

  @Test("a set that can't be put in place is left, and the run is still put in order")
  func unplaceable() throws {
    try journal([.intent(intent())])
    try stage(0..<3)
    try write(output, "2024/a.full.jpg/folder", "in the way")
    #expect(try recover().left == ["a"])
    #expect(try run.staging() == nil)
  }

  @Test("a journal can't lead outside the output", arguments: ["../", "/tmp/", "2024/../../"])
  func escape(way: String) throws {
    let name = "minilab-escaped-\(RandomBytes.hex(8))"
    var hostile = intent()
    hostile.names[0].path = way + name
    try journal([.intent(hostile)])
    try stage(0..<3)
    #expect(try recover().left == ["a"])
    #expect(try Directory(path: "/tmp").status(Array(name.utf8)) == nil)
  }

  @Test("only jobs whose last word is an intent are looked at")
  func lastWord() throws {
    try journal([
      .intent(intent("done")), .report(report("done")), .report(report("again")),
      .intent(intent("again")), .report(report("other", .failed)),
    ])
    try stage(0..<3)
    #expect(try recover().completed == ["again"])
    #expect(try reports().map(\.job) == ["done", "again", "other", "again"])
  }

  @Test("of two intents of one job the later counts, and jobs are told apart by bytes")
  func pending() {
    var pending = PendingIntents()
    var later = intent("caf\u{E9}")
    later.names = []
    for line: JournalLine in [
      .intent(intent("caf\u{E9}")), .intent(intent("b")), .intent(later),
      .report(report("cafe\u{301}")), .run(start),
    ] {
      pending.read(line)
    }
    #expect(pending.all.map(\.job) == ["b", "caf\u{E9}"])
    #expect(pending.all.last?.names.isEmpty == true)
  }

  @Test(
    "a recovery that was itself interrupted is finished by the next",
    arguments: [
      "before the report", "after the report", "in the report", "after the staging folder",
    ])
  func interrupted(moment: String) throws {
    try journal([.intent(intent())])
    try place(0..<3)
    let whole = Int64(try journalText().count)
    if moment != "before the report" {
      try JournalWriter(resuming: run.directory, wholeLength: whole)
        .append([.report(intent().report)])
    }
    if moment == "in the report" {
      let torn = try journalText().dropLast(9)
      try write(run.directory, JournalWriter.fileName, Array(torn))
    }
    if moment == "after the staging folder" { try run.removeStaging() }
    let result = try recover()
    #expect(result.left.isEmpty)
    #expect(result.hadTornLine == (moment == "in the report"))
    #expect(try reports().map(\.job) == ["a"])
    #expect(try readAll(run.directory).corrupt.isEmpty)
    #expect(try run.isFinished())
    for index in 0..<3 { #expect(try folder.read(Self.paths[index]) == content(index)) }
  }

  @Test("a run that died before its first line, and leftovers of summaries, are cleaned up")
  func noJournal() throws {
    try stage(0..<3)
    try write(run.directory, ".summary.json.00ff.tmp", "{")
    try write(run.directory, "summary.json", "{}")
    #expect(try recover() == Recovery.Result(run: runName))
    #expect(try folder.names(".minilab/runs/\(runName)") == ["summary.json"])
  }

  @Test("a run that died before its first line leaves no folder, wherever the state is")
  func emptyFolders() throws {
    let elsewhere = try output.makeDirectories(Array("state".utf8))
    let other = try RunFolder.create(state: elsewhere, output: output)
    for run in [run, other] {
      _ = try Recovery.recover(run, output: output, finished: "") { try fingerprint($0) }
      try run.removeIfEmpty()
    }
    #expect(try folder.names("state/runs") == [])
    #expect(try folder.names(".minilab/runs") == [])
  }

  @Test("damaged lines are counted, and an intent whose report is damaged is completed again")
  func damagedReport() throws {
    try journal([.intent(intent())])
    try place(0..<3)
    let whole = try journalText()
    var damaged = try JournalLine.report(intent().report).encoded()
    damaged[20] ^= 4
    try write(run.directory, JournalWriter.fileName, whole + damaged)
    let result = try recover()
    #expect(result.corruptLines == 1)
    #expect(result.completed == ["a"])
    #expect(try reports().count == 1)
  }

  @Test(
    "the decision is all or nothing",
    arguments: [
      ([.staged, .staged], .complete(renaming: [0, 1])),
      ([.placed, .staged], .complete(renaming: [1])), ([.placed], .complete(renaming: [])),
      ([.staged, .nowhere], .leave), ([.placed, .nowhere], .leave), ([], .leave),
    ] as [([RecoveryDecision.Finding], RecoveryDecision)])
  func decision(findings: [RecoveryDecision.Finding], expected: RecoveryDecision) {
    #expect(RecoveryDecision.decide(findings) == expected)
  }
}

/// A symbolic link at `path`.
func link(_ target: String, _ path: String) throws {
  try SystemError.retrying("symlink") { unsafe symlink(target, path) }
}
