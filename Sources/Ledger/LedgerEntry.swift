package import RenderModel

/// What is known of one job: what its outputs were last made from, and how its last attempt ended.
///
/// `source` to `outputs` describe the outputs that stand; while nothing was ever published they
/// describe the last attempt.
package struct LedgerEntry: Sendable, Equatable {
  package struct Source: Sendable, Equatable {
    package var sha256: String
    /// nil when it could not be trusted at the time.
    package var identity: FileIdentity?
    package init(sha256: String, identity: FileIdentity?) {
      self.sha256 = sha256
      self.identity = identity
    }
  }

  package struct Adjustment: Sendable, Equatable {
    package var sha256: String
    package var formatIdentifier: String
    package var formatVersion: String
    /// Where the record was found beneath the library; nil for one in the manifest itself.
    package var origin: RelativePath?
    package init(
      sha256: String, formatIdentifier: String, formatVersion: String, origin: RelativePath?
    ) {
      self.sha256 = sha256
      self.formatIdentifier = formatIdentifier
      self.formatVersion = formatVersion
      self.origin = origin
    }
  }

  /// A file that a filter read.
  package struct Resource: Sendable, Equatable {
    /// Beneath the library.
    package var path: RelativePath
    package var sha256: String
    package var bytes: Int
    /// nil when it could not be trusted at the time.
    package var identity: FileIdentity?
    package init(path: RelativePath, sha256: String, bytes: Int, identity: FileIdentity?) {
      self.path = path
      self.sha256 = sha256
      self.bytes = bytes
      self.identity = identity
    }
  }

  package struct Output: Sendable, Equatable {
    package var rendition: String
    package var path: RelativePath
    package var sha256: String
    package var bytes: Int
    /// nil when it could not be trusted at the time.
    package var identity: FileIdentity?
    package init(
      rendition: String, path: RelativePath, sha256: String, bytes: Int, identity: FileIdentity?
    ) {
      self.rendition = rendition
      self.path = path
      self.sha256 = sha256
      self.bytes = bytes
      self.identity = identity
    }
  }

  /// How an attempt ended.
  package struct Ending: Sendable, Equatable {
    package var outcome: OutcomeState
    package var code: String?
    package init(_ outcome: OutcomeState, code: String?) {
      self.outcome = outcome
      self.code = code
    }
  }

  package var job: String
  package var asset: RelativePath
  package var source: Source?
  package var adjustment: Adjustment?
  package var renderKey: String?
  package var recipe: String?
  package var filters: [JobReport.FilterUse]
  /// In the order of their first use by the filters.
  package var resources: [Resource]
  /// Empty while nothing was ever published.
  package var outputs: [Output]
  /// The report file beside the outputs; nil when there is none.
  package var reportFile: RelativePath?

  /// Pixels of the original; nil while nobody has seen its header.
  package var pixels: Int?
  /// CPU time of the render that made the outputs, in milliseconds; nil while there was none.
  package var cpu: Double?
  /// The versions of the libraries that made the outputs, as `EngineVersions` spells them.
  package var engine: String?

  /// How the last attempt ended.
  package var outcome: OutcomeState
  package var code: String?
  package var run: String
  /// How the last attempt of an earlier run ended; nil when there was none.
  package var earlier: Ending?
  /// When the last report was made, nanoseconds since 1970.
  package var finished: Int64

  /// Whether an adjustment record was there when the photo was last looked at.
  package var hadRecord: Bool
  /// Reports since the last render in which this content crashed, hung or ran out of memory.
  package var strikes: Int
  /// Digest of the original that the strikes count for; nil without strikes.
  package var struckSource: String?

  package init(
    job: String, asset: RelativePath, outcome: OutcomeState, code: String? = nil, run: String,
    finished: Int64
  ) {
    self.job = job
    self.asset = asset
    filters = []
    resources = []
    outputs = []
    self.outcome = outcome
    self.code = code
    self.run = run
    self.finished = finished
    hadRecord = false
    strikes = 0
  }

  /// How the job's last attempt before this run ended, whether or not the run is in already.
  package func ending(before run: String) -> Ending? {
    self.run == run ? earlier : Ending(outcome, code: code)
  }

  package var key: LedgerKey { LedgerKey(job: job) }
}
