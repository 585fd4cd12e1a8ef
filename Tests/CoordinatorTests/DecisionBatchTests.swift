import Ledger
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

@Suite("Batches of decisions")
struct DecisionBatchTests {
  private func decider(_ fixture: RunFixture) -> IntakeDecider {
    IntakeDecider(setting: fixture.setting, isForced: false, acceptsRemovedEdits: false)
  }

  /// A job whose output and ledger entry say that it is up to date.
  private func fresh(_ id: String, _ fixture: RunFixture) throws -> JobContext {
    let context = try fixture.context(id, outputs: ["\(id).jpg"])
    let source = try fixture.write("\(id).png", [1, 2, 3], in: fixture.library)
    let output = try fixture.write("\(id).jpg", [4, 5, 6])
    var entry = LedgerEntry(
      job: id, asset: RelativePath("\(id).png"), outcome: .rendered, run: "R",
      finished: WallClock.now() + 60_000_000_000)
    entry.source = .init(sha256: "aa", identity: source.identity)
    entry.recipe = Recipe.digest(of: context.job)
    entry.outputs = [
      .init(
        rendition: "r0", path: RelativePath("\(id).jpg"), sha256: "bb", bytes: 3,
        identity: output.identity)
    ]
    fixture.ledger.record([entry], upTo: nil)
    return context
  }

  private func names(_ decisions: [IntakeDecision]) -> [String] {
    decisions.map { decision in
      switch decision {
      case .fresh: "fresh"
      case .render: "render"
      case .returned: "returned"
      case .settled(_, let outcome): outcome.state.rawValue
      }
    }
  }

  @Test("a batch goes on while jobs are up to date and ends with the first that is not")
  func ends() throws {
    let fixture = try RunFixture()
    let first = try fresh("a", fixture)
    let second = try fresh("b", fixture)
    try fixture.write("new.png", [7], in: fixture.library)
    let new = try fixture.context("new", outputs: ["new.jpg"])
    let missing = try fixture.context("missing", outputs: ["missing.jpg"])
    let contexts = [first, second, new, missing, first]
    func run(from index: Int) -> [String] {
      let batch = DecisionBatch(contexts, from: index, decider(fixture))
      batch.decide()
      let (decisions, isHanging) = batch.end()
      #expect(!isHanging)
      return names(decisions)
    }
    #expect(run(from: 0) == ["fresh", "fresh", "render"])
    #expect(run(from: 3) == ["failed"])
    #expect(run(from: 4) == ["fresh"])
  }

  @Test("a batch that was given up decides nothing more")
  func givenUp() throws {
    let fixture = try RunFixture()
    let batch = DecisionBatch([try fresh("a", fixture)], from: 0, decider(fixture))
    #expect(batch.end().decisions.isEmpty)
    batch.decide()
    #expect(batch.end().decisions.isEmpty)
    #expect(!batch.end().isHanging)
  }
}
