import Glibc
import Journal
import SystemSupport
import Testing

@testable import Coordinator

/// The folders of a run: what lies beneath what, and the names of runs.
@Suite("Run places")
struct RunPlacesTests {
  @Test("a folder is beneath itself and all above it, and beneath no neighbour")
  func beneath() throws {
    let fixture = try RunFixture()
    let root = try Directory(path: fixture.path)
    let deep = try fixture.output.makeDirectories(Array("a/b/c".utf8))
    #expect(deep.isBeneath(deep))
    #expect(deep.isBeneath(fixture.output))
    #expect(deep.isBeneath(root))
    #expect(deep.isBeneath(try Directory(path: "/")))
    #expect(!fixture.output.isBeneath(deep))
    #expect(!deep.isBeneath(fixture.library))
    #expect(!fixture.library.isBeneath(fixture.output))
    #expect(!(try Directory(path: "/")).isBeneath(root))
  }

  @Test("a folder that was reached through a link is where it really is")
  func link() throws {
    let fixture = try RunFixture()
    _ = try fixture.library.makeDirectories(Array("2024".utf8))
    try SystemError.retrying("symlink") {
      unsafe symlink(fixture.path + "/library/2024", fixture.path + "/elsewhere")
    }
    let linked = try Directory(path: fixture.path + "/elsewhere")
    #expect(linked.isBeneath(fixture.library))
  }

  private func places(_ output: String, _ fixture: RunFixture) throws -> RunPlaces {
    let directory = try Directory(path: fixture.path + "/" + output, creating: true)
    return RunPlaces(
      output: directory, state: directory, lock: try StateLock(in: directory),
      ledger: fixture.ledger, lastRun: nil)
  }

  @Test("where originals could be replaced is told apart")
  func overlap() throws {
    let fixture = try RunFixture()
    func kind(_ output: String) throws -> String {
      "\(try places(output, fixture).overlap(with: fixture.library))"
    }
    #expect(try kind("out") == "nowhere")
    #expect(try kind("library") == "everywhere")
    #expect(try kind("library/renders") == "everywhere")
    #expect(try kind(".") == "inLibrary")
  }

  @Test("asking whether case matters leaves nothing but the state folder")
  func caseQuestion() throws {
    let fixture = try RunFixture()
    let places = try places("fresh", fixture)
    #expect(!places.isCaseInsensitive())
    // Somebody's own folder of that name is another folder.
    _ = try places.output.makeDirectories(Array(".MINILAB".utf8))
    #expect(!places.isCaseInsensitive())
    let names = try places.output.entries().map { String(decoding: $0.name, as: UTF8.self) }
    #expect(names.sorted() == [".MINILAB", ".minilab", "lock"])
  }

  private let day: Int64 = 86_400_000_000_000
  private let now: Int64 = 1_769_860_800_123_000_000

  @Test("a run's name sorts after the newest that is there, whatever the clock says")
  func following() throws {
    let first = RunIdentifier(now: now, random: "80000000")
    #expect(RunIdentifier.following(nil, candidate: first) == first)
    let later = RunIdentifier(now: now + day, random: "00000000")
    #expect(RunIdentifier.following(first, candidate: later) == later)
    // The same second with a smaller random part; the clock set back by a day; the very same name.
    let candidates = [
      RunIdentifier(now: now, random: "00000001"),
      RunIdentifier(now: now - day, random: "ffffffff"),
      first,
    ]
    for candidate in candidates {
      var last = first
      for _ in 0..<20 {
        let next = RunIdentifier.following(last, candidate: candidate)
        #expect(last < next)
        #expect(RunIdentifier(name: next.bytes) == next)
        last = next
      }
    }
  }

  @Test(
    "when the random part has come to its end the time counts on, as a number",
    arguments: [
      ("20260131T120000Z", "20260131T120001Z"), ("20260131T235959Z", "20260131T235960Z"),
      ("20261231T999999Z", "20261232T000000Z"), ("21991231T999999Z", "21991232T000000Z"),
    ])
  func carried(last: String, next: String) throws {
    let last = try #require(RunIdentifier(name: Array((last + "-ffffffff").utf8)))
    for candidate in [RunIdentifier(now: 0, random: "00000000"), last] {
      let following = RunIdentifier.following(last, candidate: candidate)
      #expect(following.text.hasPrefix(next))
      #expect(last < following)
    }
  }

  @Test("at the end of all names the clock's own is taken")
  func noNameLeft() throws {
    let last = try #require(RunIdentifier(name: Array("99999999T999999Z-ffffffff".utf8)))
    let candidate = RunIdentifier(now: now, random: "00000000")
    #expect(RunIdentifier.following(last, candidate: candidate) == candidate)
  }
}
