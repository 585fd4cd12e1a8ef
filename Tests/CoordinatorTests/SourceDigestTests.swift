import Glibc
import Ledger
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// When an original's digest is taken from what is known, and when from its bytes.
@Suite("Source digests")
struct SourceDigestTests {
  /// SHA-256 of `abc`, from FIPS 180-2, appendix B.1.
  private static let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  /// What nobody finds by reading: it shows that nothing was read.
  private static let told = String(repeating: "7", count: 64)

  /// A job whose original, `abc`, was written long ago by the decider's clock.
  private struct Scene {
    let fixture: RunFixture
    let context: JobContext
    let status: FileStatus
    var moment: Int64

    init(_ id: String = "a") throws {
      fixture = try RunFixture()
      status = try fixture.write("\(id).png", Array("abc".utf8), in: fixture.library)
      context = try fixture.context(id, outputs: ["\(id).jpg"])
      moment = status.changed + OriginalReader.restingTime
    }

    /// What a job knows that rendered the file as it is, and wants something else now.
    func entry(
      _ job: String = "a", sha256: String = told, change: (inout FileIdentity) -> Void = { _ in }
    ) -> LedgerEntry {
      var identity = status.identity
      change(&identity)
      var entry = LedgerEntry(
        job: job, asset: RelativePath("\(job).png"), outcome: .rendered, run: "Q",
        finished: moment)
      entry.source = .init(sha256: sha256, identity: identity)
      entry.recipe = "another"
      return entry
    }

    func decider(isForced: Bool = false, ignoresTimes: Bool = false) -> JobDecider {
      JobDecider(
        library: fixture.library, output: fixture.output, ledger: fixture.ledger,
        isForced: isForced, acceptsRemovedEdits: false, ignoresTimes: ignoresTimes,
        clock: { [moment] in moment })
    }

    /// The reason and the original that the process would be given.
    func render(_ decider: JobDecider, _ context: JobContext? = nil) throws -> (
      RenderReason, OpenedOriginal
    ) {
      guard case .render(let reason, let findings) = try decider.decide(context ?? self.context)
      else { throw NotRendered() }
      return (reason, try decider.original(of: findings).get())
    }
  }

  private struct NotRendered: Error {}

  @Test("an original at rest whose digest the ledger knows is handed over unread")
  func known() throws {
    let scene = try Scene()
    scene.fixture.ledger.record([scene.entry()], upTo: nil)
    let (reason, original) = try scene.render(scene.decider())
    #expect(reason == .recipeChanged)
    #expect(original.sha256 == Self.told)
    #expect(original.isShared)
    // Its process reads from the beginning.
    #expect(lseek(original.descriptor.rawValue, 0, SEEK_CUR) == 0)
  }

  @Test("an original that was touched just now is copied and digested, whatever is known")
  func notAtRest() throws {
    var scene = try Scene()
    scene.moment -= 1
    scene.fixture.ledger.record([scene.entry()], upTo: nil)
    let (_, original) = try scene.render(scene.decider())
    #expect(original.sha256 == Self.digest)
    #expect(try MemoryFile.isSealed(original.descriptor))
  }

  @Test(
    "an original with any other time, or another file under its name, is read",
    arguments: ["inode", "modified", "changed"])
  func another(_ field: String) throws {
    let scene = try Scene()
    let entry = scene.entry { identity in
      switch field {
      case "inode": identity.inode += 1
      case "modified": identity.modified -= 1
      default: identity.changed -= 1
      }
    }
    scene.fixture.ledger.record([entry], upTo: nil)
    let (reason, original) = try scene.render(scene.decider())
    #expect(reason == .sourceChanged)
    #expect(original.sha256 == Self.digest)
  }

  @Test("an identity that was not trusted when it was recorded is no reason to believe a digest")
  func unsettled() throws {
    let scene = try Scene()
    var entry = scene.entry()
    entry.source?.identity = nil
    scene.fixture.ledger.record([entry], upTo: nil)
    #expect(try scene.render(scene.decider()).1.sha256 == Self.digest)
  }

  @Test("a replaced file with the size and the time of writing of the old one is found")
  func replaced() throws {
    let scene = try Scene()
    scene.fixture.ledger.record([scene.entry(sha256: Self.digest)], upTo: nil)
    // The clock that stamps files goes in ticks of up to 10 ms.
    _ = poll(nil, 0, 25)
    try scene.fixture.write("b.png", Array("xyz".utf8), in: scene.fixture.library)
    let name = scene.fixture.path + "/library/b.png"
    let second = timespec(
      tv_sec: Int(scene.status.modified / 1_000_000_000),
      tv_nsec: Int(scene.status.modified % 1_000_000_000))
    #expect(unsafe utimensat(AT_FDCWD, name, [second, second], 0) == 0)
    try scene.fixture.library.rename(
      Array("b.png".utf8), to: scene.fixture.library, Array("a.png".utf8))
    let now = try #require(try scene.fixture.library.status(Array("a.png".utf8)))
    #expect(now.modified == scene.status.modified)
    #expect(try scene.render(scene.decider()).0 == .sourceChanged)
  }

  @Test("a forced job reads its original: somebody doubts what is there")
  func forced() throws {
    let scene = try Scene()
    scene.fixture.ledger.record([scene.entry()], upTo: nil)
    let (reason, original) = try scene.render(scene.decider(isForced: true))
    #expect(reason == .forced)
    #expect(original.sha256 == Self.digest)
  }

  @Test("with times ignored a change whose times were put back is found")
  func ignored() throws {
    let scene = try Scene()
    scene.fixture.ledger.record([scene.entry()], upTo: nil)
    let decider = scene.decider(ignoresTimes: true)
    for _ in 0..<2 {
      let (reason, original) = try scene.render(decider)
      #expect(reason == .sourceChanged)
      #expect(original.sha256 == Self.digest)
      #expect(original.isShared)
    }
  }

  @Test("a new job asks what the job with its asset's path for an id knows")
  func otherJob() throws {
    let scene = try Scene()
    scene.fixture.ledger.record([scene.entry("a.png")], upTo: nil)
    let (reason, original) = try scene.render(scene.decider())
    #expect(reason == .new)
    #expect(original.sha256 == Self.told)
    #expect(try scene.render(scene.decider(isForced: true)).1.sha256 == Self.digest)
    #expect(try scene.render(scene.decider(ignoresTimes: true)).1.sha256 == Self.digest)
  }

  @Test("several jobs over one original read it once in a run")
  func memo() throws {
    let scene = try Scene()
    let decider = scene.decider()
    #expect(try scene.render(decider).1.sha256 == Self.digest)
    let file = try decider.reader.open(RelativePath("a.png"), limits: RenderLimits()).get()
    #expect(decider.sourceDigests.digest(of: file) == Self.digest)
    decider.sourceDigests.keep(Self.told, of: file)
    #expect(try scene.render(decider).1.sha256 == Self.told)
    // A touched one of which the ledger knows nothing is compared by it, too.
    scene.fixture.ledger.record(
      [scene.entry(sha256: Self.told) { $0.changed -= 1 }], upTo: nil)
    #expect(try scene.render(decider).0 == .recipeChanged)
  }

  /// Some file that was opened so long after its last change, in nanoseconds.
  private func file(_ age: Int64) throws -> OriginalReader.OpenedFile {
    let descriptor = try memoryFile([1])
    let status = try FileStatus(of: descriptor)
    return OriginalReader.OpenedFile(
      descriptor: descriptor, status: status,
      opened: max(status.modified, status.changed) + age)
  }

  @Test("what was touched when it was opened, or lies in the future, is not kept")
  func racy() throws {
    let digests = SourceDigests()
    for age in [FileIdentity.settlingTime - 1, 0, -1] {
      let touched = try file(age)
      digests.keep("d", of: touched)
      #expect(digests.digest(of: touched) == nil)
    }
    let settled = try file(FileIdentity.settlingTime)
    digests.keep("d", of: settled)
    #expect(digests.digest(of: settled) == "d")
    #expect(digests.digest(of: try file(FileIdentity.settlingTime)) == nil)
  }

  @Test("what was not asked for lately is forgotten first")
  func bounded() throws {
    let digests = SourceDigests(capacity: 4)
    let files = try (0..<20).map { _ in try file(1_000_000_000) }
    for file in files {
      digests.keep("d", of: file)
      // Asked for again and again: it stays.
      #expect(digests.digest(of: files[0]) == "d")
    }
    let kept = files.filter { digests.digest(of: $0) != nil }.count
    #expect((2...8).contains(kept))
    #expect(digests.digest(of: files[1]) == nil)
    #expect(digests.digest(of: files[19]) == "d")
  }
}
