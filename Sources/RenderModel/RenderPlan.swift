/// All that a worker is told about one picture.
package struct RenderPlan: Hashable, Sendable {
  package var filters: [FilterStep]
  package var renditions: [Rendition]
  /// Damaged input is rendered as far as it goes and the damage named.
  package var tolerant: Bool
  package var limits: RenderLimits
  /// Threads that the decoder and the pixel pipeline may use.
  package var threads: Int
  /// The files that the filters read, by the names in their steps, in the order of their descriptors.
  package var resources: [String]
  /// Only the metadata of renditions that exist are made anew; these are the last resources.
  package var refreshesMetadata: Bool

  package init(
    filters: [FilterStep] = [], renditions: [Rendition], tolerant: Bool = false,
    limits: RenderLimits = RenderLimits(), threads: Int = 1, resources: [String] = [],
    refreshesMetadata: Bool = false
  ) {
    self.filters = filters
    self.renditions = renditions
    self.tolerant = tolerant
    self.limits = limits
    self.threads = threads
    self.resources = resources
    self.refreshesMetadata = refreshesMetadata
  }
}

/// What a worker gives back for a picture that it could render.
package struct RenderResult: Hashable, Sendable {
  package struct Output: Hashable, Sendable {
    package var name: String
    package var type: UniformType
    package var bytes: Int
    package var width: Int
    package var height: Int
    /// The name of the colour space whose profile is embedded.
    package var profile: String
    package var bitDepth: Int
    /// The quality it was encoded with; nil for what loses nothing.
    package var quality: Int?
    /// SHA-256 of the compressed pixels, the same as before, where only metadata were refreshed.
    package var pixelDigest: String?
    /// SHA-256 of the embedded profile; nil where the format says the colours in another way.
    package var profileDigest: String?

    package init(
      name: String, type: UniformType, bytes: Int, width: Int, height: Int, profile: String,
      bitDepth: Int, quality: Int? = nil, pixelDigest: String? = nil, profileDigest: String? = nil
    ) {
      self.name = name
      self.type = type
      self.bytes = bytes
      self.width = width
      self.height = height
      self.profile = profile
      self.bitDepth = bitDepth
      self.quality = quality
      self.pixelDigest = pixelDigest
      self.profileDigest = profileDigest
    }
  }

  /// One for each rendition of the plan, in its order.
  package var outputs: [Output]
  /// What the picture had and the renditions have not: `alpha`, `bitDepth`, `animation`, …
  package var losses: [String]
  /// What there is to say of a loss beside its name: a figure, a reason.
  package var lossNotes: [String: String]
  /// The damage that a tolerant render went past; empty when the input was whole.
  package var damage: [String]
  /// How the picture was understood and what was decided on the way, each in words for a person.
  package var notes: [String]
  package var stageTimes: StageTimes

  package init(
    outputs: [Output], losses: [String] = [], lossNotes: [String: String] = [:],
    damage: [String] = [], notes: [String] = [], stageTimes: StageTimes = StageTimes()
  ) {
    self.outputs = outputs
    self.losses = losses
    self.lossNotes = lossNotes
    self.damage = damage
    self.notes = notes
    self.stageTimes = stageTimes
  }
}

/// Where the time of a render went, in milliseconds.
///
/// Decoding and filtering run inside the encoder's pull where the pipeline streams; then they are
/// counted under `encode`.
package struct StageTimes: Hashable, Sendable {
  package var header: Double
  package var decode: Double
  package var filter: Double
  package var encode: Double

  package init(header: Double = 0, decode: Double = 0, filter: Double = 0, encode: Double = 0) {
    self.header = header
    self.decode = decode
    self.filter = filter
    self.encode = encode
  }
}

/// Why a worker could not render a picture: a result, not a thrown error.
package struct RenderFailure: Error, Hashable, Sendable {
  package var code: FailureCode
  package var stage: RenderStage
  /// One sentence for a person.
  package var detail: String

  package init(code: FailureCode, stage: RenderStage, detail: String) {
    self.code = code
    self.stage = stage
    self.detail = detail
  }
}

/// The step of a job that something happened in.
package enum RenderStage: String, Hashable, Sendable, CaseIterable {
  case intake, header, decode, filter, encode, verify, publish
}
