/// Whether journals are worth compacting after a run, and how far it goes.
enum CompactionPolicy {
  enum Decision: Equatable {
    case nothing
    /// Only folders of old runs that say nothing of any job.
    case removeSilent
    case scan
  }

  /// Journals that are smaller together are never compacted without being asked to, in bytes.
  static let smallest: Int64 = 64 << 20

  /// `live`: bytes that were left when journals were last looked through; 0 before.
  /// `largest`: bytes of the largest journal: one run says everything of a job once.
  /// `old`: runs beyond those that are to be kept; nil when all are.
  static func decide(total: Int64, live: Int64, largest: Int64, old: Int?) -> Decision {
    if total > smallest + 2 * max(live, largest) { return .scan }
    guard let old, old > 0 else { return .nothing }
    return total <= smallest ? .scan : .removeSilent
  }
}
