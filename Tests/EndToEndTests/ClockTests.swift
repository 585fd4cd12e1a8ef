import Glibc
import JSONText
import SystemSupport
import Testing

/// The time of day set back and forth, between runs and in the middle of one.
@Suite("Clock steps", .enabled(if: SteppedClock.isPossible))
struct ClockTests {
  struct Step: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// From the true time.
    var seconds: Int64

    static let all = [
      Step(testDescription: "a day back", seconds: -86_400),
      Step(testDescription: "a day forward", seconds: 86_400),
      Step(testDescription: "to 1970", seconds: 3_600 - WallClock.now() / 1_000_000_000),
      Step(testDescription: "to 2100", seconds: 4_102_444_800 - WallClock.now() / 1_000_000_000),
    ]
  }

  /// A scene whose programs have a clock of their own.
  private struct Timed {
    let scene: RenderScene
    let clock: SteppedClock

    init() throws {
      scene = try RenderScene()
      clock = try SteppedClock()
    }

    func start(_ flags: [String] = []) throws -> RunningProgram {
      try RunningProgram(
        BuiltPrograms.minilab, scene.arguments(flags), environment: clock.environment)
    }

    /// Renders, and gives the reasons of what was not up to date.
    func render(_ flags: [String] = []) throws -> [String: String] {
      let before = try scene.runNames()
      let end = try start(flags).wait()
      #expect(end.exitStatus == 0, "\(end.errorText)")
      // Whatever the clock says, the newest run is the last by name.
      #expect(try scene.runNames().dropLast() == before[...])
      let run = try scene.lastRun()
      #expect(run.isBalanced)
      #expect(run.reports.values.allSatisfy { $0.outcome == "rendered" })
      return run.reports.mapValues { $0.reason ?? "" }
    }
  }

  @Test("the library shows the program the time that was set, and no other")
  func control() throws {
    let timed = try Timed()
    try timed.scene.fill(1)
    try timed.clock.set(secondsFromTrueTime: 4_102_444_800 - WallClock.now() / 1_000_000_000)
    #expect(try timed.render() == ["p0.png": "new"])
    let report = try #require(try timed.scene.lastRun().reports["p0.png"])
    #expect(report["finished"]?.string?.hasPrefix("2100-01-01T") == true)
    #expect(try timed.scene.runNames().last?.hasPrefix("21000101T") == true)
    let changed = report["renditions"]?.array?.first?["identity"]?["changed"]?.number?.integer
    #expect((changed ?? 0) / 1_000_000_000 >= 4_102_444_800)
  }

  @Test(
    "between runs: nothing is redone that need not be, everything that must, and later runs win",
    arguments: Step.all)
  func between(step: Step) throws {
    let timed = try Timed()
    let scene = timed.scene
    try scene.fill(4)
    #expect(try timed.render().count == 4)
    var seed = 100
    for seconds in [step.seconds, 0, step.seconds] {
      try timed.clock.set(secondsFromTrueTime: seconds)
      #expect(try timed.render() == [:])
      seed += 1
      try scene.draw("p1.png", seed: seed)
      #expect(try timed.render() == ["p1.png": "sourceChanged"])
      // The very same size, and other bytes within the same second.
      try scene.draw("p1.png", seed: seed + 50)
      #expect(try timed.render() == ["p1.png": "sourceChanged"])
      try scene.folder.write("out/p2.full.png", [1, 2, 3])
      #expect(try timed.render() == ["p2.png": "outputDamaged"])
      #expect(try timed.render() == [:])
    }
    #expect(try scene.outputsNotAsReported() == [])
    // From the journals alone the same comes out: their order is that of the runs.
    let rebuild = try RunningProgram(
      BuiltPrograms.minilab, ["ledger", "rebuild", "--output", scene.output],
      environment: timed.clock.environment
    ).wait()
    #expect(rebuild.exitStatus == 0, "\(rebuild.errorText)")
    #expect(try timed.render() == [:])
    try timed.clock.set(secondsFromTrueTime: 0)
    #expect(try timed.render() == [:])
  }

  @Test("names that only rendering gives are taken again, whatever time their files have")
  func lateNames() throws {
    let timed = try Timed()
    let scene = timed.scene
    try scene.fill(2)
    try scene.write(
      assets: ["p0.png", "p1.png"],
      defaults: """
        {"renditions": [{"name": "full", "type": "public.png"}], "output": "{stem}-{width}.png"}
        """)
    try timed.clock.set(secondsFromTrueTime: 86_400)
    #expect(try timed.render().count == 2)
    // The outputs are from tomorrow now.
    try timed.clock.set(secondsFromTrueTime: 0)
    #expect(try timed.render() == [:])
    try scene.draw("p1.png", seed: 7)
    #expect(try timed.render() == ["p1.png": "sourceChanged"])
    #expect(try scene.outputsNotAsReported() == [])
  }

  @Test("in the middle of a run: every job is done once, and known to be done", arguments: Step.all)
  func middle(step: Step) throws {
    let timed = try Timed()
    let scene = timed.scene
    let jobs = 120
    for seed in 0..<3 { try scene.draw("\(seed).png", seed: seed, width: 120, height: 90) }
    try scene.write(
      jobs: (0..<jobs).map {
        "{\"id\": \"\($0)\", \"asset\": \"\($0 % 3).png\", \"output\": \"\($0).{extension}\"}"
      })
    let run = try timed.start()
    #expect(try eventually { try !scene.outputs().isEmpty })
    try timed.clock.set(secondsFromTrueTime: step.seconds)
    let end = try run.wait(seconds: 60)
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let record = try scene.lastRun()
    #expect(record.isBalanced)
    #expect(record.reportCounts.count == jobs)
    #expect(record.reports.values.allSatisfy { $0.outcome == "rendered" })
    #expect(try scene.outputsNotAsReported() == [])
    for seconds in [step.seconds, 0, -step.seconds / 2] {
      try timed.clock.set(secondsFromTrueTime: seconds)
      #expect(try timed.render() == [:])
    }
  }

  @Test("a deadline is kept to while the clock is set back and forth", arguments: Step.all)
  func deadline(step: Step) throws {
    let timed = try Timed()
    let scene = timed.scene
    try scene.fill(3)
    try scene.folder.write("library/slow.png", Drawing.noise(900, seed: 1))
    try scene.write(jobs: SlowJob.jobs(beside: ["p0.png", "p1.png", "p2.png"]))
    let run = try timed.start()
    #expect(try eventually { try !scene.outputs().isEmpty })
    try timed.clock.set(secondsFromTrueTime: step.seconds)
    let end = try run.wait(seconds: 60)
    #expect(end.exitStatus == 3, "\(end.errorText)")
    try SlowJob.check(scene)
  }

  @Test("says aloud that it was skipped", .disabled(if: SteppedClock.isPossible))
  func skipped() {
    print("skipped: no steps of the clock, as there is no C compiler")
  }
}

/// The clocks that deadlines are kept by, begun at other times: a machine just started, or long ago.
@Suite("Time namespaces", .enabled(if: TimeNamespace.isPossible))
struct TimeNamespaceTests {
  @Test("runs of machines that started at other times know each other's work, and keep deadlines")
  func bootTimes() throws {
    let scene = try RenderScene()
    try scene.fill(3)
    try scene.folder.write("library/slow.png", Drawing.noise(900, seed: 1))
    try scene.write(jobs: SlowJob.jobs(beside: ["p0.png", "p1.png", "p2.png"]))
    // Ten years up; started this moment, when what is subtracted from the clock goes below its
    // beginning; and as it is.
    let uptimes: [Int64?] = [315_360_000, 0, nil]
    for (run, uptime) in uptimes.enumerated() {
      let end = try TimeNamespace.start(scene, uptime: uptime).wait(seconds: 60)
      #expect(end.exitStatus == 3, "\(end.errorText)")
      try SlowJob.check(scene, rendered: run == 0 ? 3 : 0)
    }
  }
}

/// A job that takes longer than its deadline, beside some that do not.
enum SlowJob {
  static func jobs(beside assets: [String]) -> [String] {
    assets.map { "{\"asset\": \"\($0)\"}" } + [
      """
      {"asset": "slow.png", "deadline": "400ms", "renditions": [
        {"name": "full", "type": "public.avif", "quality": 100, "effort": 9}]}
      """
    ]
  }

  static func check(_ scene: RenderScene, rendered: Int = 3) throws {
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    #expect(run.total("timedOut") == 1)
    #expect(run.total("rendered") == rendered)
    let deadline = run.reports["slow.png"]?["deadline"]
    #expect(deadline?["limit"]?.number?.integer == 400)
    // Far from a promise, and near enough to tell a step of the clock.
    #expect((deadline?["overshoot"]?.number?.double ?? .infinity) < 20_000)
  }
}

/// Runs whose monotonic and boot clocks begin elsewhere.
enum TimeNamespace {
  /// `uptime`: what the clocks say at the start, in seconds; nil: what they say anyway.
  static func start(_ scene: RenderScene, uptime: Int64?) throws -> RunningProgram {
    let offsets = [CLOCK_BOOTTIME, CLOCK_MONOTONIC].map { clock in
      uptime.map { $0 - seconds(clock) } ?? 0
    }
    return try RunningProgram(
      SystemProgram.find("unshare") ?? "",
      words(boot: offsets[0], monotonic: offsets[1]) + [BuiltPrograms.minilab]
        + scene.arguments(["--quarantine-after", "0"]))
  }

  private static func seconds(_ clock: Int32) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec)
  }

  private static func words(boot: Int64, monotonic: Int64) -> [String] {
    ["--time", "--fork", "--kill-child", "--boottime", "\(boot)", "--monotonic", "\(monotonic)"]
  }

  static let isPossible: Bool = {
    guard let unshare = SystemProgram.find("unshare"), let truth = SystemProgram.find("true"),
      let run = try? RunningProgram(unshare, words(boot: 60, monotonic: 60) + [truth])
    else { return false }
    return (try? run.wait(seconds: 20))?.exitStatus == 0
  }()
}
