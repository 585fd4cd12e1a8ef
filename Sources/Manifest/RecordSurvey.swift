import Adjustments
import Glibc
import RenderModel
import SystemSupport

/// Looks into records that jobs name by path, for their mistakes and the files that their filters read.
struct RecordSurvey {
  enum Content {
    /// Empty also for what is not there or not ours to read.
    case files([NamedFile])
    /// What is wrong, each with its place in the record.
    case invalid([String])
  }

  /// More records are not looked into: their jobs fail by themselves.
  static let most = 1000

  private let library: Directory?
  private var known: [RelativePath: Content] = [:]

  init(library: Directory?) { self.library = library }

  mutating func content(of record: RelativePath) -> Content {
    if let content = known[record] { return content }
    guard known.count < Self.most else { return .files([]) }
    let content = read(record)
    known[record] = content
    return content
  }

  private func read(_ path: RelativePath) -> Content {
    // A named pipe must not hold us up at opening.
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
    guard AdjustmentFile.foreignFormat(of: path) == nil,
      let file = try? library?.openBeneath(path.bytes, flags: flags),
      (try? FileStatus(of: file))?.kind == .regular,
      let bytes = try? FileTransfer.readAll(file, limit: AdjustmentFile.maximumBytes)
    else { return .files([]) }
    switch AdjustmentFile.decode(bytes, named: path) {
    case .unknownFormat: return .files([])
    case .invalid(let problems): return invalid(problems, bytes)
    case .record(let record):
      switch AdjustmentDecoding.decode(record: record) {
      case .filters(let steps): return .files(steps.namedFiles)
      case .unknownFormat, .unknownVersion: return .files([])
      case .invalid(let problems): return invalid(problems, bytes)
      }
    }
  }

  private func invalid(_ problems: [AdjustmentProblem], _ text: [UInt8]) -> Content {
    .invalid(problems.map { $0.words(in: text[...]) })
  }
}
