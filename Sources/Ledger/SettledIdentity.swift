package import RenderModel

extension FileIdentity {
  /// Two ticks of the coarsest clock that stamps files (100 Hz), in nanoseconds.
  package static let settlingTime: Int64 = 20_000_000

  /// Whether any later change of the file is sure to show in its times, if it was read at `moment`.
  ///
  /// A file that was written within the same clock tick can change once more and look the same. The
  /// changed time of an output is its rename: an identity that is to be trusted is read a settling
  /// time after it. Times in the future are never settled.
  package func isSettled(at moment: Int64) -> Bool {
    let newest = max(modified, changed)
    let (age, overflow) = moment.subtractingReportingOverflow(newest)
    return !overflow && age >= Self.settlingTime
  }
}
