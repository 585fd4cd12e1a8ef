import RenderModel
import SystemSupport
import Testing
import WorkerPool
import WorkerProtocol

@Suite("Headers read for a selection")
struct HeaderPurposeTests {
  @Test("a job that wants only the header ends with it, and nothing is rendered")
  func headerOnly() throws {
    let jobs = (0..<6).map { PoolJob(token: UInt64($0), purpose: .header) }
    let result = try PoolHarness().run(jobs, original: try Drawing.jpegFile())
    #expect(result.end == .completed)
    #expect(result.outcomes.count == 6)
    for outcome in result.outcomes.values {
      guard case .header(let header) = outcome.verdict else {
        Issue.record("\(outcome.verdict)")
        continue
      }
      #expect(header.type == .jpeg)
      #expect(header.width == 8 && header.height == 8)
    }
  }
}
