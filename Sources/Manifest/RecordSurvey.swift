import Adjustments
import Glibc
import RenderModel
import SystemSupport

/// Looks into records that jobs name by path, for the files that their filters read.
struct RecordSurvey {
  /// More records are not looked into: their jobs fail by themselves.
  static let most = 1000

  private let library: Directory?
  private var known: [RelativePath: [NamedFile]] = [:]

  init(library: Directory?) { self.library = library }

  /// Empty for what is no record of ours without mistakes.
  mutating func files(of record: RelativePath) -> [NamedFile] {
    if let files = known[record] { return files }
    guard known.count < Self.most else { return [] }
    let files = read(record)
    known[record] = files
    return files
  }

  private func read(_ path: RelativePath) -> [NamedFile] {
    // A named pipe must not hold us up at opening.
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
    guard AdjustmentFile.foreignFormat(of: path) == nil,
      let file = try? library?.openBeneath(path.bytes, flags: flags),
      (try? FileStatus(of: file))?.kind == .regular,
      let bytes = try? FileTransfer.readAll(file, limit: AdjustmentFile.maximumBytes),
      case .record(let record) = AdjustmentFile.decode(bytes, named: path),
      case .filters(let steps) = AdjustmentDecoding.decode(record: record)
    else { return [] }
    return steps.namedFiles
  }
}
