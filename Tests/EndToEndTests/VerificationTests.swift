import Glibc
import RenderModel
import Synchronization
import SystemSupport
import Testing
import WorkerPool
import WorkerProtocol

/// What a process claims of its outputs is looked at by another one.
@Suite("Verification of outputs by a second process")
struct VerificationTests {
  private func outcome(
    _ fault: InjectedFault.Kind?, _ verification: VerificationDepth = .header,
    types: [UniformType] = [.jpeg]
  ) throws -> PoolOutcome {
    var harness = PoolHarness()
    harness.verification = verification
    let renditions = types.enumerated().map { Rendition(name: "r\($0)", type: $1) }
    let job = PoolHarness.job(
      1, fault: fault.map { InjectedFault(kind: $0) }, plan: RenderPlan(renditions: renditions))
    let original = try Drawing.memoryFile(Drawing.png(width: 300, height: 200))
    return try #require(try harness.run([job], original: original).outcomes[1])
  }

  @Test(
    "renders that are as claimed are handed over, sealed",
    arguments: [VerificationDepth.header, .full])
  func honest(depth: VerificationDepth) throws {
    let outcome = try outcome(
      nil, depth, types: [.jpeg, .png, .webP, .tiff, .avif, .heic, .jpegXL])
    #expect(outcome.isRendered, "\(outcome.verdict)")
  }

  @Test("outputs that are handed over cannot be changed any more")
  func sealed() throws {
    let sealed = Mutex<[Bool]>([])
    var harness = PoolHarness()
    harness.onFinished = { finished, _ in
      let all = finished.outputs.map { (try? MemoryFile.isSealed($0)) == true }
      sealed.withLock { $0 += all }
    }
    _ = try harness.run([PoolHarness.job(1)], original: Drawing.jpegFile())
    #expect(sealed.withLock { $0 } == [true])
  }

  @Test("a size that was claimed falsely is found out")
  func falseClaim() throws {
    let outcome = try outcome(.falseClaim)
    guard case .failed(let failure) = outcome.verdict else {
      Issue.record("\(outcome.verdict)")
      return
    }
    #expect(failure.code == .internal)
    #expect(failure.stage == .verify)
    #expect(failure.detail.contains("300 x 200 pixels instead of 301 x 200"))
  }

  @Test("pixels that are missing are found when all are decoded")
  func cutOutput() throws {
    let outcome = try outcome(.cutOutput, .full)
    #expect(outcome.failureCode == .internal, "\(outcome.verdict)")
    if case .failed(let failure) = outcome.verdict { #expect(failure.stage == .verify) }
  }

  @Test("--verify full renders as ever, and another word is refused")
  func commandLine() throws {
    let scene = try RenderScene()
    try scene.draw("a.png")
    try scene.write(assets: ["a.png"])
    #expect(try scene.render(["--verify", "full"]).exitStatus == 0)
    #expect(try scene.lastRun().reportCounts == ["a.png": 1])
    #expect(try scene.render(["--verify", "thoroughly"]).exitStatus == 64)
  }
}
