import RenderModel
import Reporting
import Synchronization
import SystemSupport

/// The progress of a run, told by intake and publisher, shown by whoever is listening.
final class RunProgress: Sendable {
  private let meter = Mutex(ProgressMeter())
  private let listener: @Sendable (ProgressMeter) -> Void
  private let onReport: @Sendable (JobReport) -> Void

  init(
    listener: @escaping @Sendable (ProgressMeter) -> Void,
    onReport: @escaping @Sendable (JobReport) -> Void
  ) {
    self.listener = listener
    self.onReport = onReport
  }

  func planned(_ jobs: Int) {
    change { meter in
      meter.plan(jobs)
      meter.begin(at: Self.now())
    }
  }

  func wasFresh() {
    change { $0.finish(.fresh, megapixels: nil) }
  }

  func completed(_ report: JobReport) {
    guard let state = OutcomeState(rawValue: report.outcome.state) else { return }
    change { meter in
      if let megapixels = report.megapixels { meter.measure(megapixels: megapixels) }
      meter.finish(state, megapixels: report.megapixels)
    }
    onReport(report)
  }

  private func change(_ body: (inout ProgressMeter) -> Void) {
    let copy = meter.withLock { meter in
      body(&meter)
      return meter
    }
    listener(copy)
  }

  /// Seconds of the clock that progress is measured by.
  static func now() -> Double { Double(BootClock.now()) / 1_000_000_000 }
}
