package import Ledger
package import RenderModel

/// What `minilab render` was asked to do.
package struct RenderOptions: Hashable, Sendable {
  package enum Isolation: String, Hashable, Sendable, CaseIterable {
    /// A fresh process for each job.
    case fork
    /// One process for several jobs, for input that is trusted.
    case reuse
  }

  package enum SandboxDemand: String, Hashable, Sendable, CaseIterable {
    case required
    case bestEffort = "best-effort"
  }

  package enum ProgressStyle: String, Hashable, Sendable, CaseIterable {
    /// A bar on a terminal, plain lines elsewhere.
    case auto
    case plain, json, none
  }

  package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
    case text, json
  }

  /// What the problems of single jobs do to the run.
  package enum InvalidJobs: String, Hashable, Sendable, CaseIterable {
    case refuse
    case failJob = "fail-job"
  }

  package enum CaseInsensitivity: String, Hashable, Sendable, CaseIterable {
    case auto, yes, no
  }

  /// What besides a job's own inputs may be a reason to render it again.
  package enum RebuildCause: String, Hashable, Sendable, CaseIterable {
    case engine
  }

  /// Which jobs that did not render make the exit status 3.
  package enum FailureRule: Hashable, Sendable {
    case any
    /// Those that were not known before.
    case new
    /// More than this share of the planned jobs, in percent.
    case percentage(Double)
    case none
  }

  /// At least one.
  package var manifests: [HostPath]
  package var output: HostPath
  /// nil: as many as the machine grants.
  package var workers: Int?
  /// Overrides the manifest's deadline.
  package var deadlineMilliseconds: Int?
  package var force = false
  /// nil: whatever the reason.
  package var onlyReasons: ReasonSelection?
  package var rebuildOn: RebuildCause?
  /// Newest runs whose folders are kept; nil: all.
  package var keepRuns: Int?
  package var tolerant = false
  package var isolation = Isolation.fork
  package var sandbox = SandboxDemand.required
  /// The largest number of jobs that are carried out.
  package var limit: Int?
  package var progress = ProgressStyle.auto
  package var format = OutputFormat.text
  /// nil: `.minilab` beneath the output folder.
  package var state: HostPath?
  /// Overrides the manifest's library.
  package var library: HostPath?
  /// What all jobs together may use; nil: by the machine.
  package var memoryBytes: Int?
  /// What running jobs are given after SIGTERM.
  package var drainMilliseconds = 10_000
  /// Runs in which a picture may end its process before it is left alone; 0: any number.
  package var quarantineAfter = 2
  package var failOn = FailureRule.any
  package var invalid = InvalidJobs.refuse
  package var acceptRemovedEdits = false
  /// Files are digested whatever their times say.
  package var checksum = false
  /// Existing outputs get other metadata; nothing is rendered.
  package var metadataOnly = false
  package var caseInsensitive = CaseInsensitivity.auto
  /// The largest size of one output file; nil: no limit but the disk's.
  package var maxOutputBytes: Int?
  package var verification = VerificationDepth.header

  package init(manifests: [HostPath], output: HostPath) {
    self.manifests = manifests
    self.output = output
  }
}
