package import RenderModel
package import SystemSupport

/// What a command line says about the manifests it is given.
package struct ManifestOptions: Sendable {
  /// What the problem of one job means for the others.
  package enum InvalidJobs: Sendable {
    /// A manifest with any problem starts nothing.
    case refuse
    /// The job fails and the others are done.
    case failJob
  }

  /// Used in place of the manifest's own library.
  package var library: String?
  /// The output folder treats `A.jpg` and `a.jpg` as one name.
  package var caseInsensitiveOutput = false
  /// Names that differ only in how letters are composed count as one name.
  package var normalizationInsensitiveOutput = true
  /// Used in place of every deadline of the manifest.
  package var deadline: DeadlinePolicy?
  /// Used in place of every `tolerant` of the manifest.
  package var tolerant: Bool?
  package var invalidJobs: InvalidJobs = .refuse
  /// Records in files that are missing or wrong, and files of filters that are missing, are problems
  /// and not only failures of their jobs.
  package var reportsRecordFaults = false
  /// No more than so many jobs are given out.
  package var limit: Int?
  /// The output folder, when names in it are to be checked for links and folders.
  package var outputRoot: Directory?
  /// Reads capture dates for `ordered: captureDate`, one answer for each path, nil for none.
  ///
  /// Without it such a selection is a problem: this side parses no pictures.
  package var captureDates: (@Sendable ([RelativePath]) -> [String?])?
  /// Asked often while a manifest is checked; true gives it up with `ManifestError.stopped`.
  package var isStopped: (@Sendable () -> Bool)?

  package init() {}
}
