import RenderModel
import SystemSupport

/// The outputs of one job on their way to their names.
struct PublicationSet: Sendable {
  /// One name of the set.
  struct Entry: Sendable {
    /// nil for the report file.
    var rendition: String?
    var path: RelativePath
    /// The name in the run's staging folder.
    var staged: [UInt8]
    var sha256: String
    var bytes: Int
  }

  var token: UInt64
  var context: JobContext
  var report: JobReport
  var entries: [Entry] = []
  /// Renditions whose new bytes are under their names.
  var placed: Set<String> = []
  /// Set when the set cannot be published; nothing of it gets a name then.
  var failure: RenderFailure?
}

/// Which error of the file system means what for a job, and whether the run can go on.
enum PublishFailure {
  static func failure(for error: SystemError, path: RelativePath) -> RenderFailure {
    let code: FailureCode =
      if error.isDiskFull {
        .diskFull
      } else if error.isNameTooLong {
        .nameTooLong
      } else if error.isNameTaken || error.leavesRoot {
        .outputConflict
      } else {
        .outputUnwritable
      }
    return RenderFailure(
      code: code, stage: .publish, detail: "\(path.displayed): \(words(for: error))")
  }

  static func failure(for failure: OutputTemplate.Failure) -> RenderFailure {
    let code: FailureCode =
      switch failure {
      case .nameTooLong, .pathTooLong: .nameTooLong
      case .badComponent, .stateFolder, .unknown: .outputConflict
      }
    return RenderFailure(code: code, stage: .publish, detail: failure.message)
  }

  /// The failure that later jobs would meet in the same way, so that no more should be taken.
  ///
  /// It need not come from publishing: the pool refuses what the disk has no room for.
  static func stopCause(_ outcome: JobReport.OutcomeEntry) -> RenderFailure? {
    guard outcome.state == OutcomeState.failed.rawValue,
      let code = outcome.code.flatMap(FailureCode.init),
      code == .diskFull || code == .outputUnwritable
    else { return nil }
    return RenderFailure(code: code, stage: .publish, detail: outcome.detail ?? "")
  }

  private static func words(for error: SystemError) -> String {
    if error.isDiskFull { return "the disk is full" }
    if error.isNameTooLong { return "name too long: a file name may have 255 bytes" }
    if error.isNameTaken { return "a folder or special file has this name" }
    if error.leavesRoot {
      return "leads through a symbolic link or another file system; outputs stay beneath --output"
    }
    return "\(error)"
  }
}
