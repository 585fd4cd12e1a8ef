import RenderModel
import Testing
import WorkerPool
import WorkerProtocol

@Suite("Jobs that no process is started for")
struct PoolRefusalTests {
  private func verdict(_ plan: RenderPlan) -> (PoolOutcome.Verdict?, spawned: [UInt64]) {
    var scenario = PoolScenario()
    let job = PoolScenario.job(1, purpose: .render(plan))
    let first = scenario.machine.jobSubmitted(job, now: 0)
    let second = scenario.machine.zygoteStarted(now: 0)
    return (first.verdicts.first, second.spawned)
  }

  private func plan(files: Int, renditions: Int) -> RenderPlan {
    RenderPlan(
      renditions: (0..<renditions).map { Rendition(name: "r\($0)") },
      resources: (0..<files).map { "\($0).cube" })
  }

  @Test("64 files and renditions together are given to a process", arguments: [0, 1, 63])
  func most(files: Int) {
    let (verdict, spawned) = verdict(plan(files: files, renditions: 64 - files))
    #expect(verdict == nil)
    #expect(spawned == [1])
  }

  @Test(
    "one more is refused, the record's fault where it has files, else the job's",
    arguments: [(1, 64, FailureCode.invalidAdjustment), (0, 65, .invalidJob)])
  func tooMany(files: Int, renditions: Int, code: FailureCode) {
    let (verdict, spawned) = verdict(plan(files: files, renditions: renditions))
    guard case .failed(let failure) = verdict else {
      Issue.record("not refused")
      return
    }
    #expect(spawned == [])
    #expect(failure.code == code)
    #expect(failure.stage == .intake)
    #expect(
      failure.detail.contains("\(files) files of filters and profiles and \(renditions) renditions")
    )
    #expect(failure.detail.contains("64"))
  }

  @Test("filters that fill more than a message are refused instead of never arriving")
  func tooLong() {
    let points = (0..<256).map { FilterStep.CurvePoint(x: Double($0) / 255, y: 0) }
    let curve = FilterStep(
      name: "toneCurve", version: 1, parameters: [.init(name: "points", value: .points(points))])
    let plan = { RenderPlan(filters: $0, renditions: [Rendition(name: "full")]) }
    #expect(verdict(plan(Array(repeating: curve, count: 15))).0 == nil)
    guard case .failed(let failure) = verdict(plan(Array(repeating: curve, count: 16))).0 else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .invalidAdjustment)
    #expect(failure.detail.contains("\(ProtocolVersion.maximumMessageBytes)"))
  }

  @Test("a refused job makes room for the next")
  func next() {
    var scenario = PoolScenario()
    let refused = PoolScenario.job(1, purpose: .render(plan(files: 1, renditions: 64)))
    _ = scenario.machine.jobSubmitted(refused, now: 0)
    _ = scenario.machine.jobSubmitted(PoolScenario.job(2), now: 0)
    #expect(scenario.machine.zygoteStarted(now: 0).spawned == [2])
  }

  @Test("what the files of the filters take is part of the memory estimate")
  func memory() {
    let plain = MemoryEstimate.bytes(header: PoolScenario.header, plan: PoolScenario.plan)
    let larger = MemoryEstimate.bytes(
      header: PoolScenario.header, plan: PoolScenario.plan, resourceBytes: 1000)
    #expect(larger == plain + 4000)
    let huge = MemoryEstimate.bytes(
      header: PoolScenario.header, plan: PoolScenario.plan, resourceBytes: .max)
    #expect(huge == .max)

    var masked = PoolScenario.plan
    let mask = FilterMask(
      kind: "bitmap", parameters: [.init(name: "path", value: .file("m.png"))])
    masked.filters = [
      FilterStep(name: "exposure", version: 1, parameters: [], mask: mask),
      FilterStep(name: "contrast", version: 1, parameters: [], mask: mask),
    ]
    // The bitmap is held once for both, a million pixels of eight bytes.
    let held = MemoryEstimate.bytes(header: PoolScenario.header, plan: masked)
    #expect(held == plain + 8_000_000)

    var scenario = PoolScenario(memoryBudget: plain + 1 << 20)
    var job = PoolScenario.job(1)
    job.resourceBytes = 100 << 20
    _ = scenario.machine.jobSubmitted(job, now: 0)
    _ = scenario.machine.zygoteStarted(now: 0)
    _ = scenario.machine.processSpawned(1, now: 0)
    let actions = scenario.machine.replyReceived(
      1, .header(PoolScenario.header, milliseconds: 1), now: 0)
    #expect(actions.killed == [1])
  }
}
