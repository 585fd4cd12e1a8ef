import RenderModel
import Testing

@testable import Ledger

@Suite struct FreshnessTests {
  private func decide(
    _ entry: LedgerEntry?, _ change: (inout Freshness.Current) -> Void = { _ in }
  ) -> Freshness.Decision {
    var current = unchanged(entry)
    change(&current)
    return Freshness.decide(entry, current)
  }

  @Test("a job that is not known is new")
  func unknown() {
    #expect(decide(nil) == .render(.new))
    #expect(decide(nil) { $0.isForced = true } == .render(.forced))
  }

  @Test(
    "a rendered job with nothing touched is fresh", arguments: [OutcomeState.rendered, .degraded])
  func fresh(state: OutcomeState) {
    #expect(decide(entry(report(state))) == .fresh)
  }

  @Test("another size of the original needs no reading")
  func sourceSize() {
    let decision = decide(entry(report(.rendered))) { $0.source.identity.size = 101 }
    #expect(decision == .render(.sourceChanged))
  }

  @Test("an original that looks touched is read, and its digest decides")
  func sourceTouched() {
    let rendered = entry(report(.rendered))
    let touched = { (current: inout Freshness.Current) in current.source.identity.changed += 1 }
    #expect(decide(rendered, touched) == .needsDigest(of: .source))
    #expect(
      decide(rendered) {
        touched(&$0)
        $0.source.sha256 = digest("aa")
      } == .fresh)
    #expect(
      decide(rendered) {
        touched(&$0)
        $0.source.sha256 = digest("ab")
      } == .render(.sourceChanged))
  }

  @Test("another record, a new one or none any more by the manifest's word is a changed adjustment")
  func adjustment() {
    let edited = entry(report(.rendered))
    #expect(
      decide(edited) { $0.adjustment = .record(sha256: digest("ae")) }
        == .render(.adjustmentChanged))
    #expect(decide(edited) { $0.adjustment = .none } == .render(.adjustmentChanged))
    let plain = entry(report(.rendered, adjustment: nil))
    #expect(decide(plain) == .render(.adjustmentChanged))
    #expect(decide(plain) { $0.adjustment = .none } == .fresh)
    #expect(decide(plain) { $0.adjustment = .notFound } == .fresh)
  }

  @Test("a record that has vanished keeps the photo, whatever else changed and even when forced")
  func recordMissing() {
    for state in [OutcomeState.rendered, .failed, .kept] {
      let decision = decide(entry(report(state))) {
        $0.adjustment = .notFound
        $0.recipe = digest("e1")
        $0.isForced = true
        $0.outputs = []
      }
      #expect(decision == .kept(.recordMissing))
    }
  }

  @Test("a kept photo whose record is back is fresh when nothing else changed")
  func recordBack() {
    let kept = entry(
      report(.rendered), report(.kept, code: "recordMissing", source: nil, adjustment: nil))
    #expect(decide(kept) { $0.adjustment = .notFound } == .kept(.recordMissing))
    #expect(decide(kept) == .fresh)
    #expect(decide(kept) { $0.outputs = [nil, nil] } == .render(.outputMissing))
  }

  @Test("a kept photo that was never rendered is looked at again")
  func keptNew() {
    #expect(decide(entry(report(.kept, code: "unknownFormat"))) == .render(.new))
  }

  @Test("a changed recipe, and a filter with another version or none, are named")
  func plan() {
    let rendered = entry(report(.rendered))
    #expect(decide(rendered) { $0.recipe = digest("e1") } == .render(.recipeChanged))
    #expect(
      decide(rendered) { $0.filterVersions["sharpen"] = [4] }
        == .render(.filterChanged(name: "sharpen", from: 3, to: 4)))
    #expect(
      decide(rendered) { $0.filterVersions["sharpen"] = nil }
        == .render(.filterChanged(name: "sharpen", from: 3, to: nil)))
    #expect(decide(rendered) { $0.filterVersions["crop"] = [10] } == .fresh)
  }

  @Test("a filter that a record pins in one version and not in another stays fresh")
  func pinnedVersions() {
    var pinned = report(.rendered)
    pinned.filters.append(.init(name: "sharpen", version: 1))
    let rendered = entry(pinned)
    #expect(decide(rendered) { $0.filterVersions["sharpen"] = [1, 3] } == .fresh)
    #expect(
      decide(rendered) { $0.filterVersions["sharpen"] = [1, 4] }
        == .render(.filterChanged(name: "sharpen", from: 3, to: 4)))
  }

  @Test("a file of a filter with another size or other bytes is named")
  func resources() {
    let rendered = entry(report(.rendered))
    #expect(
      decide(rendered) { $0.resources[1].file.identity.size = 99 }
        == .render(.lookChanged(file: "b.png")))
    let touched: (inout Freshness.Current) -> Void = { $0.resources[0].file.identity.changed += 1 }
    #expect(decide(rendered, touched) == .needsDigest(of: .resource(0)))
    #expect(
      decide(rendered) {
        touched(&$0)
        $0.resources[0].file.sha256 = digest("10")
      } == .fresh)
    #expect(
      decide(rendered) {
        touched(&$0)
        $0.resources[0].file.sha256 = digest("99")
      } == .render(.lookChanged(file: "looks/a.cube")))
  }

  @Test("what is known to differ is named before anything is read")
  func resourceBeforeReading() {
    let decision = decide(entry(report(.rendered))) {
      $0.resources[0].file.identity.changed += 1
      $0.resources[1].file.identity.size = 99
    }
    #expect(decision == .render(.lookChanged(file: "b.png")))
  }

  @Test("the same bytes found at another place are the same look")
  func movedResource() {
    let rendered = entry(report(.rendered))
    let moved: (inout Freshness.Current) -> Void = {
      $0.resources[0] = .init(
        path: RelativePath("2024/a.cube"), file: .init(identity: identity(99)))
    }
    #expect(decide(rendered, moved) == .needsDigest(of: .resource(0)))
    #expect(
      decide(rendered) {
        moved(&$0)
        $0.resources[0].file.sha256 = digest("10")
      } == .fresh)
  }

  @Test("one file more or less than there was is a changed look")
  func resourceCount() {
    let rendered = entry(report(.rendered))
    #expect(
      decide(rendered) {
        $0.resources.append(
          .init(path: RelativePath("new\n.cube"), file: .init(identity: identity(30))))
      } == .render(.lookChanged(file: "new\\u{A}.cube")))
    #expect(
      decide(rendered) { $0.resources = [] } == .render(.lookChanged(file: "looks/a.cube")))
  }

  @Test("a changed record is the reason before the files that it names")
  func adjustmentBeforeResources() {
    let decision = decide(entry(report(.rendered))) {
      $0.adjustment = .record(sha256: digest("ae"))
      $0.resources = []
    }
    #expect(decision == .render(.adjustmentChanged))
  }

  @Test("outputs that are gone, of another size or of other bytes are made again")
  func outputs() {
    let rendered = entry(report(.rendered))
    #expect(decide(rendered) { $0.outputs[1] = nil } == .render(.outputMissing))
    #expect(decide(rendered) { $0.outputs = [] } == .render(.outputMissing))
    #expect(decide(rendered) { $0.outputs[1]?.identity.size = 99 } == .render(.outputDamaged))
    let touched: (inout Freshness.Current) -> Void = { $0.outputs[1]?.identity.inode = 99 }
    #expect(decide(rendered, touched) == .needsDigest(of: .output(1)))
    #expect(
      decide(rendered) {
        touched(&$0)
        $0.outputs[1]?.sha256 = digest("f1")
      } == .fresh)
    #expect(
      decide(rendered) {
        touched(&$0)
        $0.outputs[1]?.sha256 = digest("f2")
      } == .render(.outputDamaged))
  }

  @Test("nothing is read while an output is known to be gone")
  func missingBeforeReading() {
    let decision = decide(entry(report(.rendered))) {
      $0.outputs[0]?.identity.changed += 1
      $0.outputs[1] = nil
    }
    #expect(decision == .render(.outputMissing))
  }

  @Test(
    "an attempt that failed is made again, for the reason that applies",
    arguments: [OutcomeState.failed, .timedOut, .cancelled])
  func failed(state: OutcomeState) {
    #expect(decide(entry(report(state))) == .render(.new))
    #expect(decide(entry(report(.rendered), report(state))) == .render(.new))
    #expect(
      decide(entry(report(.rendered), report(state, source: "ab"))) {
        $0.source = .init(identity: identity(1), sha256: digest("ab"))
      } == .render(.sourceChanged))
    #expect(decide(entry(report(state, source: nil))) == .render(.new))
  }

  @Test(
    "an identity read within 20 ms of its times is not trusted",
    arguments: [(20_000_000, true), (19_999_999, false), (0, false), (-5, false)] as [(Int64, Bool)]
  )
  func racy(age: Int64, trusted: Bool) {
    for change: (Int64) -> FileIdentity in [
      { FileIdentity(inode: 1, size: 100, modified: noon - $0, changed: noon - second) },
      { FileIdentity(inode: 1, size: 100, modified: noon - second, changed: noon - $0) },
    ] {
      var raced = report(.rendered)
      raced.asset.identity = change(age)
      let decision = decide(entry(raced)) { $0.source.identity = change(age) }
      #expect(decision == (trusted ? .fresh : .needsDigest(of: .source)))
    }
  }

  @Test("with times ignored only digests tell that a file is what it was")
  func ignoredTimes() {
    let rendered = entry(report(.rendered))
    let read = decide(rendered) {
      $0.ignoresTimes = true
      $0.source.sha256 = digest("aa")
    }
    #expect(read == .needsDigest(of: .resource(0)))
    #expect(decide(rendered) { $0.ignoresTimes = true } == .needsDigest(of: .source))
  }

  @Test("a report file that is gone is a missing output")
  func reportFile() {
    var reported = report(.rendered)
    reported.reportFile = .init(path: RelativePath("2024/a.report.json"))
    let rendered = entry(reported)
    #expect(rendered?.reportFile == RelativePath("2024/a.report.json"))
    #expect(decide(rendered) == .fresh)
    #expect(decide(rendered) { $0.hasReportFile = false } == .render(.outputMissing))
    // What stands stays known when a later attempt fails.
    #expect(entry(reported, report(.failed, code: "crashed"))?.reportFile == rendered?.reportFile)
  }

  @Test("times beyond the clock's range are not trusted")
  func absurdTimes() {
    let past = FileIdentity(inode: 1, size: 1, modified: .min, changed: .min)
    let future = FileIdentity(inode: 1, size: 1, modified: .max, changed: 0)
    #expect(!past.isSettled(at: noon))
    #expect(!future.isSettled(at: noon))
  }

  @Test("an identity that was not recorded makes the file be read")
  func noIdentity() {
    var bare = report(.rendered)
    bare.asset.identity = nil
    #expect(decide(entry(bare)) == .needsDigest(of: .source))
    bare = report(.rendered)
    bare.renditions[0].identity = nil
    let rendered = entry(bare)
    #expect(
      decide(rendered) { $0.outputs[0] = .init(identity: identity(10)) }
        == .needsDigest(of: .output(0)))
  }

  @Test(
    "reasons are spelled as reports spell them",
    arguments: [
      (RenderReason.new, "new"), (.sourceChanged, "sourceChanged"),
      (.adjustmentChanged, "adjustmentChanged"), (.recipeChanged, "recipeChanged"),
      (.filterChanged(name: "exposure", from: 1, to: 2), "filterChanged(exposure, 1, 2)"),
      (.filterChanged(name: "exposure", from: 1, to: nil), "filterChanged(exposure, 1, none)"),
      (.lookChanged(file: "looks/a.cube"), "lookChanged(looks/a.cube)"),
      (.outputMissing, "outputMissing"), (.outputDamaged, "outputDamaged"), (.forced, "forced"),
    ])
  func spelling(reason: RenderReason, text: String) {
    #expect(reason.description == text)
  }
}
