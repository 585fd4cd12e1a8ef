import RenderModel
import Testing

@testable import Coordinator

@Suite("Why a record is not rendered")
struct AdjustmentResolverTests {
  @Test(
    "a record whose version, or a filter's, is not ours is kept, in the decoder's own words",
    arguments: [
      ("9.1", #"{"filters": []}"#, "newer"), ("0.1", #"{"filters": []}"#, "older"),
      ("1.0", #"{"filters": [{"filter": "exposure", "version": 99, "ev": 1}]}"#, "exposure"),
    ])
  func kept(version: String, data: String, words: String) throws {
    let fixture = try RunFixture()
    let record = AdjustmentRecord(
      formatIdentifier: AdjustmentRecord.nativeIdentifier, formatVersion: version,
      data: Array(data.utf8))
    let job = Job(id: "a", asset: RelativePath("a.jpg"), adjustment: .record(record), outputs: [])
    guard
      case .kept(let code, let detail, let entry) = AdjustmentResolver(library: fixture.library)
        .resolve(job)
    else {
      Issue.record("not kept")
      return
    }
    #expect(code == .unknownVersion)
    #expect(detail.contains(words), "\(detail)")
    #expect(detail.hasSuffix("; the last render stays"))
    #expect(entry.fidelity == "unknown")
  }
}
