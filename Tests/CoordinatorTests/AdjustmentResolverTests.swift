import RenderModel
import Testing

@testable import Coordinator

@Suite("Why a record is not rendered")
struct AdjustmentResolverTests {
  private static let record = AdjustmentRecord(
    formatIdentifier: AdjustmentRecord.nativeIdentifier, formatVersion: "9.1", data: [])

  @Test("a version is named with its format, and whether it is newer or older is not guessed at")
  func formatVersion() {
    let words = AdjustmentResolver.words(for: "9.1", of: Self.record)
    #expect(
      words
        == "version 9.1 of org.minilab.adjustments is not known to this program; "
        + "the last render stays")
  }

  @Test("words of the decoder are passed on, made safe to show")
  func words() {
    let words = AdjustmentResolver.words(for: "version 3 of lut3d\u{1B}", of: Self.record)
    #expect(
      words == "version 3 of lut3d\\u{1B} is not known to this program; the last render stays")
  }

  @Test("a record of another version is kept")
  func kept() throws {
    let fixture = try RunFixture()
    let job = Job(
      id: "a", asset: RelativePath("a.jpg"), adjustment: .record(Self.record), outputs: [])
    guard
      case .kept(let code, let detail, let entry) = AdjustmentResolver(library: fixture.library)
        .resolve(job)
    else {
      Issue.record("not kept")
      return
    }
    #expect(code == .unknownVersion)
    #expect(detail.contains("9.1"))
    #expect(entry.fidelity == "unknown")
  }
}
