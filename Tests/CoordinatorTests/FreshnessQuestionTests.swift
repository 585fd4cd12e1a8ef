import Glibc
import Ledger
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// What is read from disk before a job counts as fresh.
@Suite("Freshness question")
struct FreshnessQuestionTests {
  private struct Scene {
    let fixture: RunFixture
    var context: JobContext
    var entry: LedgerEntry

    /// A job that was rendered long ago: its identities are settled.
    init() throws {
      fixture = try RunFixture()
      let source = try fixture.write("a.png", [1, 2, 3], in: fixture.library)
      let output = try fixture.write("a.jpg", [4, 5, 6])
      context = try fixture.context("a", outputs: ["a.jpg"])
      context.asset.identity = source.identity
      context.recipe = "r"
      entry = LedgerEntry(
        job: "a", asset: context.assetPath, outcome: .rendered, run: "Q",
        finished: output.changed + 10 * FileIdentity.settlingTime)
      entry.source = .init(sha256: "source", identity: source.identity)
      entry.recipe = "r"
      entry.outputs = [
        .init(
          rendition: "r0", path: RelativePath("a.jpg"),
          // sha256sum of the bytes 4, 5, 6.
          sha256: "787c798e39a5bc1910355bae6d0cd87a36b2e10fd0202a83e3bb6b005da83472", bytes: 3,
          identity: output.identity)
      ]
    }

    func question(isForced: Bool = false, knows: Bool = true) -> FreshnessQuestion {
      FreshnessQuestion(
        output: fixture.setting.output, entry: knows ? entry : nil, context: context,
        adjustment: .none,
        isForced: isForced)
    }
  }

  @Test("nothing known is new, everything unchanged is fresh without a byte read")
  func plain() throws {
    let scene = try Scene()
    #expect(scene.question(knows: false).decide() == .render(.new))
    #expect(scene.question().decide() == .fresh)
    #expect(scene.question(isForced: true).decide() == .render(.forced))
  }

  @Test("without an identity of its source a job is new")
  func noIdentity() throws {
    var scene = try Scene()
    scene.context.asset.identity = nil
    #expect(scene.question().decide() == .render(.new))
  }

  @Test("a touched output is read once, and its digest decides")
  func touchedOutput() throws {
    let scene = try Scene()
    try scene.fixture.write("a.jpg", [4, 5, 6])
    var question = scene.question()
    #expect(question.decide() == .needsDigest(of: .output(0)))
    question.digestOutput(0)
    #expect(question.decide() == .fresh)

    try scene.fixture.write("a.jpg", [4, 5, 7])
    question = scene.question()
    question.digestOutput(0)
    #expect(question.decide() == .render(.outputDamaged))
    // No output has this number.
    question.digestOutput(1)
  }

  @Test("a touched source wants its digest, which decides")
  func touchedSource() throws {
    var scene = try Scene()
    scene.context.asset.identity = try scene.fixture.write(
      "a.png", [1, 2, 3], in: scene.fixture.library
    ).identity
    var question = scene.question()
    #expect(question.decide() == .needsDigest(of: .source))
    question.sourceDigest = "source"
    #expect(question.decide() == .fresh)
    question.sourceDigest = "another"
    #expect(question.decide() == .render(.sourceChanged))
  }

  @Test("a touched file of a filter wants its digest, which decides")
  func touchedFilterFile() throws {
    var scene = try Scene()
    let path = RelativePath("x.cube")
    let status = try scene.fixture.write("x.cube", [1], in: scene.fixture.library)
    let file = FilterFiles.Found(
      path: path, name: "x.cube",
      descriptor: try scene.fixture.library.openBeneath(path.bytes, flags: O_RDONLY),
      status: status)
    func question() -> FreshnessQuestion {
      FreshnessQuestion(
        output: scene.fixture.setting.output, entry: scene.entry, context: scene.context,
        adjustment: .none, files: [file], isForced: false)
    }
    #expect(question().decide() == .render(.lookChanged(file: "x.cube")))
    scene.entry.resources = [.init(path: path, sha256: "one", bytes: 1, identity: nil)]
    var asked = question()
    #expect(asked.decide() == .needsDigest(of: .resource(0)))
    asked.resourceDigested(0, "one")
    #expect(asked.decide() == .fresh)
    asked.resourceDigested(0, "two")
    #expect(asked.decide() == .render(.lookChanged(file: "x.cube")))
    // No file has this number.
    asked.resourceDigested(1, "one")
    scene.entry.resources[0].identity = status.identity
    #expect(question().decide() == .fresh)
  }

  @Test(
    "an output that is gone, a folder or a link is missing", arguments: ["gone", "folder", "link"])
  func missingOutput(kind: String) throws {
    let scene = try Scene()
    try scene.fixture.output.remove(Array("a.jpg".utf8))
    if kind == "folder" { _ = try scene.fixture.output.makeDirectories(Array("a.jpg".utf8)) }
    if kind == "link" {
      try scene.fixture.write("b.jpg", [4, 5, 6])
      try SystemError.retrying("symlink") {
        unsafe symlink("b.jpg", scene.fixture.path + "/out/a.jpg")
      }
    }
    #expect(scene.question().decide() == .render(.outputMissing))
  }

  @Test("an output that disappears before it is read is missing")
  func disappeared() throws {
    let scene = try Scene()
    try scene.fixture.write("a.jpg", [4, 5, 6])
    var question = scene.question()
    try scene.fixture.output.remove(Array("a.jpg".utf8))
    question.digestOutput(0)
    #expect(question.decide() == .render(.outputMissing))
  }

  @Test("digests are those of the standard's own examples")
  func digest() throws {
    // FIPS 180-4 test vector "abc"; the empty message.
    #expect(
      try FileDigest.sha256(of: rewound(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      try FileDigest.sha256(of: rewound([]))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  private func rewound(_ bytes: [UInt8]) throws -> OwnedDescriptor {
    let file = try memoryFile(bytes)
    lseek(file.rawValue, 0, SEEK_SET)
    return file
  }
}
