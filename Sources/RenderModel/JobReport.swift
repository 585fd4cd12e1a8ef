/// The report of one job: one journal line, and the optional report file beside its renders.
///
/// The member names are a published interface (`docs/schemas/job-report.schema.json`).
package struct JobReport: Sendable, Codable, Equatable {
  package static let schemaVersion = 1

  package struct Asset: Sendable, Codable, Equatable {
    /// nil when the name is not UTF-8; then `pathBytes` has it in base64.
    package var path: String?
    package var pathBytes: String?
    package var type: String?
    package var bytes: Int?
    package var sha256: String?
    package var width: Int?
    package var height: Int?
    package var orientation: Int?
    package var profile: String?
    package var captured: String?
    /// What a person should know of the file: a name that says another type; nil when there is nothing.
    package var notes: [String]?
    package var identity: FileIdentity?
    package init() {}
  }

  package struct Adjustment: Sendable, Codable, Equatable {
    package var formatIdentifier: String
    package var formatVersion: String
    package var sha256: String
    /// `exact`, `approximate` or `unknown`.
    package var fidelity: String
    package var notes: [String]
    /// Where it was found beside the asset; nil for a record in the manifest itself, and when the
    /// name is not UTF-8.
    package var path: String?
    /// The path in base64 when it is not UTF-8.
    package var pathBytes: String?
    package init(
      formatIdentifier: String, formatVersion: String, sha256: String, fidelity: String,
      notes: [String] = [], path: RelativePath? = nil
    ) {
      self.formatIdentifier = formatIdentifier
      self.formatVersion = formatVersion
      self.sha256 = sha256
      self.fidelity = fidelity
      self.notes = notes
      self.path = path?.string
      self.pathBytes = path.flatMap { $0.string == nil ? Base64.encode($0.bytes) : nil }
    }

    /// nil for a record in the manifest itself.
    package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }
  }

  /// A file that a filter or its mask read: a LUT, a mask, an overlay.
  package struct Resource: Sendable, Codable, Equatable {
    /// Beneath the library; nil when the name is not UTF-8, then `pathBytes` has it in base64.
    package var path: String?
    package var pathBytes: String?
    package var bytes: Int
    package var sha256: String
    /// nil when it could not be trusted at the time.
    package var identity: FileIdentity?
    package init(path: RelativePath, bytes: Int, sha256: String, identity: FileIdentity? = nil) {
      self.path = path.string
      self.pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
      self.bytes = bytes
      self.sha256 = sha256
      self.identity = identity
    }

    /// nil when neither form of the path is usable.
    package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }
  }

  package struct FilterUse: Sendable, Codable, Hashable {
    package var name: String
    package var version: Int
    package init(name: String, version: Int) {
      self.name = name
      self.version = version
    }
  }

  package struct OutcomeEntry: Sendable, Codable, Equatable {
    package var state: String
    package var code: String?
    package var stage: String?
    package var detail: String?
    package init(_ outcome: Outcome) {
      state = outcome.state.rawValue
      code = outcome.code
      stage = outcome.stage?.rawValue
      detail = outcome.detail
    }
  }

  package struct RenditionEntry: Sendable, Codable, Equatable {
    package var name: String
    package var path: String?
    package var pathBytes: String?
    package var type: String
    package var bytes: Int
    package var sha256: String
    package var width: Int
    package var height: Int
    package var profile: String
    package var bitDepth: Int
    /// The quality it was encoded with; nil for what loses nothing.
    package var quality: Int?
    /// SHA-256 of the compressed pixels, where only metadata were refreshed; nil after a render.
    package var pixelDigest: String?
    package var identity: FileIdentity?

    package init(
      name: String, path: RelativePath, type: String, bytes: Int, sha256: String, width: Int,
      height: Int, profile: String, bitDepth: Int, quality: Int? = nil, pixelDigest: String? = nil,
      identity: FileIdentity? = nil
    ) {
      self.name = name
      self.path = path.string
      self.pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
      self.type = type
      self.bytes = bytes
      self.sha256 = sha256
      self.width = width
      self.height = height
      self.profile = profile
      self.bitDepth = bitDepth
      self.quality = quality
      self.pixelDigest = pixelDigest
      self.identity = identity
    }

    /// nil when neither form of the path is usable.
    package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }
  }

  /// Where the report file is; its bytes can't be told in itself.
  package struct ReportFile: Sendable, Codable, Equatable {
    package var path: String?
    /// The path in base64 when it is not UTF-8.
    package var pathBytes: String?
    package init(path: RelativePath) {
      self.path = path.string
      pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
    }

    /// nil when neither form of the path is usable.
    package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }
  }

  /// Milliseconds.
  package struct Timings: Sendable, Codable, Equatable {
    package var queue: Double = 0
    package var header: Double = 0
    package var decode: Double = 0
    package var filter: Double = 0
    package var encode: Double = 0
    package var publish: Double = 0
    package var total: Double = 0
    package init() {}
  }

  /// Milliseconds; `overshoot` is nil unless the job was killed at its deadline.
  package struct Deadline: Sendable, Codable, Equatable {
    package var limit: Double
    package var overshoot: Double?
    package init(limit: Double, overshoot: Double? = nil) {
      self.limit = limit
      self.overshoot = overshoot
    }
  }

  package var schema: Int
  package var kind: String
  package var job: String
  package var run: String
  package var attempt: Int
  package var asset: Asset
  package var adjustment: Adjustment?
  package var filters: [FilterUse]
  /// The files that the filters read, in the order of their first use; nil when there are none.
  package var resources: [Resource]?
  package var renderKey: String?
  /// Digest of what is asked for besides source and record: renditions, name templates, tolerance.
  package var recipe: String?
  /// Why the job was done: `new`, `sourceChanged`, …; nil when it was never planned.
  package var reason: String?
  package var outcome: OutcomeEntry
  package var renditions: [RenditionEntry]
  /// The report file beside the renders; nil when there is none.
  package var reportFile: ReportFile?
  /// Names of `Loss`.
  package var losses: [String]
  /// A figure or a reason, by the name of the loss; nil when there are none.
  package var lossNotes: [String: String]?
  /// How the original was understood and what was decided, each in words for a person; nil: nothing.
  package var notes: [String]?
  package var timings: Timings
  package var deadline: Deadline?
  /// Resident set at its highest, in bytes; nil when no process ran.
  package var peakMemory: Int?
  /// The layers that were active around the job's process.
  package var sandbox: [String]
  /// Versions by name: `minilab`, `libvips`, the codecs.
  package var engine: [String: String]
  /// When the report was made, UTC, ISO 8601.
  package var finished: String
  /// CPU time of the job's processes in milliseconds.
  package var cpu: Double?

  package init(job: String, run: String, attempt: Int, asset: Asset, outcome: Outcome) {
    schema = Self.schemaVersion
    kind = "report"
    self.job = job
    self.run = run
    self.attempt = attempt
    self.asset = asset
    self.outcome = OutcomeEntry(outcome)
    filters = []
    renditions = []
    losses = []
    timings = Timings()
    sandbox = []
    engine = [:]
    finished = ""
  }

  package static func path(_ text: String?, _ base64: String?) -> RelativePath? {
    if let text { return RelativePath(text) }
    guard let base64, let bytes = Base64.decode(base64) else { return nil }
    return RelativePath(bytes: bytes)
  }
}

extension JobReport.Asset {
  /// Width times height; nil while nobody has seen the header.
  package var pixels: Int? {
    guard let width, let height else { return nil }
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : product
  }

  package init(path: RelativePath) {
    self.init()
    self.path = path.string
    self.pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
  }

  package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }
}
