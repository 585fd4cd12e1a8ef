import Journal
import Ledger
import RenderModel
import SystemSupport

/// Reads all journals in their order and finds the lines that can go.
///
/// A report can go when what is known of its job is the same without it, and a later one names the same
/// outputs. An intent can go when its report follows. All other lines stay.
final class CompactionScan {
  /// What a scan found out about one run's journal.
  struct Journal {
    var run: RunIdentifier
    /// Bytes; 0 when there is none.
    var length: Int64
    /// Whether lines of it may go.
    var isOld: Bool
    /// The lines that can go, in no order.
    var superseded: [LinePlace] = []
    /// Lines that stay and say something of a job.
    var words = 0

    var supersededBytes: Int64 { superseded.reduce(0) { $0 + Int64($1.length) } }
  }

  /// Where a line is.
  struct LinePlace: Hashable {
    var journal: UInt32
    /// With its newline.
    var length: UInt32
    var offset: Int64
  }

  /// The lines of one job that stay.
  private struct Track {
    var places: [LinePlace]
    /// Nothing of it may go: what its lines come to is not known.
    var isFrozen = false
  }

  /// A line of a later version that concerns all jobs, perhaps; then nothing can be decided.
  struct Undecidable: Error {}

  private(set) var journals: [Journal]
  /// Jobs by the hash of their ids: a million of them take little room.
  private var tracks: [Int: Track] = [:]
  /// Intents without a report so far, by the job's id.
  private var intents: [[UInt8]: LinePlace] = [:]
  private let open: (RunIdentifier) throws -> Directory?
  private let isStopped: () -> Bool

  struct Stopped: Error {}

  /// `open` gives a run's folder.
  init(
    _ journals: [Journal], isStopped: @escaping () -> Bool,
    open: @escaping (RunIdentifier) throws -> Directory?
  ) {
    self.journals = journals
    self.open = open
    self.isStopped = isStopped
  }

  func perform() throws {
    for index in journals.indices { try read(index) }
  }

  private func read(_ index: Int) throws {
    guard let folder = try open(journals[index].run),
      var reader = try JournalReader.open(folder)
    else { return }
    while let line = try reader.nextRaw() {
      if isStopped() { throw Stopped() }
      let place = LinePlace(
        journal: UInt32(index), length: UInt32(clamping: line.length), offset: line.offset)
      try take(line, place)
    }
  }

  private func take(_ line: JournalReader.RawLine, _ place: LinePlace) throws {
    guard let text = line.text, let head = JournalLine.head(text) else {
      // What cannot be believed stays to be looked at.
      return count(place)
    }
    switch head.kind {
    case "run", "end": return
    case "intent":
      guard let job = head.job else { return count(place) }
      count(place)
      if let earlier = intents.updateValue(place, forKey: Array(job.utf8)) { drop(earlier) }
    case "report":
      guard case .report(let report)? = try? JournalLine.decode(text) else {
        return try takeStrange(head, place)
      }
      count(place)
      if let intent = intents.removeValue(forKey: Array(report.job.utf8)) { drop(intent) }
      try take(report, place)
    default: try takeStrange(head, place)
    }
  }

  /// A whole line of an unknown form: what is known of its job after it cannot be told.
  private func takeStrange(_ head: JournalLine.Head, _ place: LinePlace) throws {
    guard let job = head.job else { throw Undecidable() }
    count(place)
    tracks[Self.hash(job), default: Track(places: [])].isFrozen = true
  }

  private func take(_ report: JobReport, _ place: LinePlace) throws {
    let hash = Self.hash(report.job)
    guard var track = tracks.removeValue(forKey: hash) else {
      tracks[hash] = Track(places: [place])
      return
    }
    defer { tracks[hash] = track }
    if track.isFrozen || !track.places.contains(where: isOld) {
      track.places.append(place)
      return
    }
    var news = try track.places.map(fetch)
    news.append(report)
    track.places.append(place)
    guard news.allSatisfy({ LedgerKey(job: $0.job) == LedgerKey(job: report.job) }) else {
      // Two jobs with one hash; it practically never happens.
      track.isFrozen = true
      return
    }
    let kept = LastWords.indices(of: news) { isOld(track.places[$0]) }
    let staying = Set(kept)
    for index in track.places.indices where !staying.contains(index) { drop(track.places[index]) }
    track.places = kept.map { track.places[$0] }
  }

  private static func hash(_ job: String) -> Int {
    var hasher = Hasher()
    for byte in job.utf8 { hasher.combine(byte) }
    return hasher.finalize()
  }

  // MARK: - Lines

  private func isOld(_ place: LinePlace) -> Bool { journals[Int(place.journal)].isOld }

  private func count(_ place: LinePlace) { journals[Int(place.journal)].words += 1 }

  private func drop(_ place: LinePlace) {
    guard isOld(place) else { return }
    journals[Int(place.journal)].words -= 1
    journals[Int(place.journal)].superseded.append(place)
  }

  /// Reads a report again that was read before.
  private func fetch(_ place: LinePlace) throws -> JobReport {
    guard let folder = try open(journals[Int(place.journal)].run),
      var reader = try JournalReader.open(folder, from: place.offset),
      let text = try reader.nextRaw()?.text,
      case .report(let report) = try JournalLine.decode(text)
    else { throw JournalError(.notReadable, "a journal changed while it was read") }
    return report
  }
}

/// Which reports of a job say all that is known of it.
enum LastWords {
  /// Indices of those that stay, the newest always among them.
  static func indices(of news: [JobReport], mayGo: (Int) -> Bool) -> [Int] {
    let known = fold(news)
    var kept = Array(news.indices)
    var before = 0
    // Without one that went, an earlier one may go too.
    while kept.count != before {
      before = kept.count
      for index in kept.dropLast() where mayGo(index) {
        let rest = kept.filter { $0 != index }
        let others = rest.map { news[$0] }
        guard fold(others) == known, isCovered(news[index], by: others) else { continue }
        kept = rest
      }
    }
    return kept
  }

  private static func fold(_ news: [JobReport]) -> LedgerEntry? {
    news.reduce(nil as LedgerEntry?) { LedgerEntry.following($0, $1) }
  }

  /// Whether every output that it names is named by others too: who looks for orphans asks for them.
  private static func isCovered(_ report: JobReport, by others: [JobReport]) -> Bool {
    let names = self.names(report)
    return names.isEmpty
      || names.isSubset(of: others.reduce(into: Set()) { $0.formUnion(self.names($1)) })
  }

  private static func names(_ report: JobReport) -> Set<RelativePath> {
    Set(
      report.renditions.compactMap(\.relativePath)
        + [report.reportFile?.relativePath].compactMap { $0 })
  }
}
