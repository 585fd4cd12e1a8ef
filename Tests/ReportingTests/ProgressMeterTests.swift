import RenderModel
import Testing

@testable import Reporting

@Suite struct ProgressMeterTests {
  private func meter(_ planned: Int) -> ProgressMeter {
    var meter = ProgressMeter()
    meter.plan(planned)
    meter.begin(at: 100)
    return meter
  }

  @Test("before anything is done there is no rate and no time to go")
  func start() {
    let reading = meter(10).reading(at: 100)
    #expect(reading.fraction == 0)
    #expect(reading.eta == nil)
    #expect(reading.jobsPerSecond == 0)
    #expect(ProgressMeter().reading(at: 5).fraction == 1)
  }

  @Test("until a size is known, jobs are counted")
  func byCount() {
    var meter = meter(10)
    for _ in 0..<4 { meter.finish(.rendered, megapixels: nil) }
    let reading = meter.reading(at: 102)
    #expect(reading.fraction == 0.4)
    #expect(reading.jobsPerSecond == 2)
    #expect(reading.eta == 3)
  }

  @Test("known sizes weigh, and jobs without one are taken to be like the others")
  func byMegapixels() {
    var meter = meter(4)
    for size in [10.0, 50] { meter.measure(megapixels: size) }
    meter.finish(.rendered, megapixels: 10)
    // 10 done; 50 open; two unknown at the mean of 30: 110 to go at 5 a second.
    let reading = meter.reading(at: 102)
    #expect(abs(reading.fraction - 10 / 120) < 1e-12)
    #expect(reading.megapixelsPerSecond == 5)
    #expect(reading.eta == 22)
  }

  @Test("jobs that end without work promise no speed")
  func withoutWork() {
    var meter = meter(1000)
    meter.finish(.fresh, megapixels: nil, jobs: 990)
    let early = meter.reading(at: 101)
    #expect(early.fraction == 0.99)
    #expect(early.eta == nil)
    meter.measure(megapixels: 12)
    meter.finish(.rendered, megapixels: 12)
    let reading = meter.reading(at: 102)
    #expect(abs(reading.fraction - 0.1) < 1e-12)
    #expect(reading.eta == 18)
    #expect(reading.finished == 991)
  }

  @Test("a measured job that ends without work leaves the amount of work")
  func measuredCancelled() {
    var meter = meter(2)
    meter.measure(megapixels: 10)
    meter.measure(megapixels: 10)
    meter.finish(.cancelled, megapixels: 10)
    meter.finish(.timedOut, megapixels: 10)
    #expect(meter.reading(at: 101).fraction == 1)
    #expect(meter.reading(at: 101).eta == 0)
  }

  @Test("failures are counted", arguments: OutcomeState.allCases)
  func failures(state: OutcomeState) {
    var meter = meter(1)
    meter.finish(state, megapixels: nil)
    let isFailure = [.failed, .timedOut, .quarantined].contains(state)
    #expect(meter.reading(at: 101).failures == (isFailure ? 1 : 0))
    #expect(meter.reading(at: 101).finished == 1)
  }

  @Test("a clock that stands still or goes back gives finite numbers")
  func oddClock() throws {
    var meter = meter(2)
    meter.finish(.rendered, megapixels: nil)
    for now in [100.0, 50] {
      let reading = meter.reading(at: now)
      #expect(reading.elapsed == 0)
      #expect(reading.eta == nil)
      _ = try ReportText.line(ProgressRecord(run: runName, reading))
    }
  }

  @Test("the first job's start counts")
  func begin() {
    var meter = meter(1)
    meter.begin(at: 200)
    #expect(meter.reading(at: 201).elapsed == 101)
  }
}
