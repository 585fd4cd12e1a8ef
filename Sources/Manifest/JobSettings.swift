import RenderModel

/// What defaults or one job say; nil is what they leave open.
struct JobSettings: Sendable {
  var deadline: DeadlinePolicy?
  var adjustment: Job.AdjustmentSource?
  /// What the filters of a record in the manifest read.
  var recordFiles: [NamedFile] = []
  var renditions: [RenditionEntry]?
  var output: OutputTemplate?
  var report: OutputTemplate?
  var tolerant: Bool?
  var rawSource: RAWSource?
  var pixels: Int?
  var side: Int?
  var pages: Int?
  var inputBytes: Int?
  var onKept: Job.OnKept?

  /// One rendition and, where it has one of its own, its template.
  struct RenditionEntry: Sendable {
    var rendition: Rendition
    var output: OutputTemplate?
  }

  /// These settings with what they leave open taken from others.
  func over(_ defaults: JobSettings) -> JobSettings {
    var result = self
    result.deadline = deadline ?? defaults.deadline
    result.adjustment = adjustment ?? defaults.adjustment
    result.recordFiles = recordFiles(over: defaults)
    result.renditions = renditions ?? defaults.renditions
    result.output = output ?? defaults.output
    result.report = report ?? defaults.report
    result.tolerant = tolerant ?? defaults.tolerant
    result.rawSource = rawSource ?? defaults.rawSource
    result.pixels = pixels ?? defaults.pixels
    result.side = side ?? defaults.side
    result.pages = pages ?? defaults.pages
    result.inputBytes = inputBytes ?? defaults.inputBytes
    result.onKept = onKept ?? defaults.onKept
    return result
  }

  /// The files of the record that counts.
  func recordFiles(over defaults: JobSettings) -> [NamedFile] {
    adjustment == nil ? defaults.recordFiles : recordFiles
  }

  /// Whether a job with these settings is named and rendered as the defaults say.
  var leavesOutputsOpen: Bool { renditions == nil && output == nil && report == nil }
}

/// Settings with nothing left open, ready to be given an asset.
struct ResolvedSettings: Sendable {
  var adjustment: Job.AdjustmentSource
  var outputs: [Job.Output]
  var deadline: DeadlinePolicy
  var limits: RenderLimits
  var tolerant: Bool
  var rawSource: RAWSource
  var onKept: Job.OnKept
  var report: OutputTemplate?
  /// Whether some output is named by the standard template because nobody gave one.
  var usesStandardTemplate: Bool

  init(_ settings: JobSettings, options: ManifestOptions) {
    let entries =
      settings.renditions ?? [JobSettings.RenditionEntry(rendition: Rendition(name: "full"))]
    outputs = entries.map { entry in
      Job.Output(
        rendition: entry.rendition, template: entry.output ?? settings.output ?? .standard)
    }
    usesStandardTemplate = settings.output == nil && entries.contains { $0.output == nil }
    adjustment = settings.adjustment ?? .sidecar
    deadline = options.deadline ?? settings.deadline ?? DeadlinePolicy()
    let standard = RenderLimits()
    limits = RenderLimits(
      pixels: settings.pixels ?? standard.pixels, side: settings.side ?? standard.side,
      pages: settings.pages ?? standard.pages,
      inputBytes: settings.inputBytes ?? standard.inputBytes)
    tolerant = options.tolerant ?? settings.tolerant ?? false
    rawSource = settings.rawSource ?? .sensor
    onKept = settings.onKept ?? .leave
    report = settings.report.map { [outputs] in Self.beside($0, outputs.first?.template) }
  }

  func job(id: String, asset: RelativePath) -> Job {
    Job(
      id: id, asset: asset, adjustment: adjustment, outputs: outputs, deadline: deadline,
      limits: limits, tolerant: tolerant, rawSource: rawSource, onKept: onKept,
      reportTemplate: report)
  }

  /// These settings with another template where the standard one stood in.
  func replacingStandardTemplate(by template: OutputTemplate) -> ResolvedSettings {
    var result = self
    for index in result.outputs.indices where result.outputs[index].template == .standard {
      result.outputs[index].template = template
    }
    return result
  }

  /// A report template without a folder of its own is placed in the folder of the first rendition.
  private static func beside(_ report: OutputTemplate, _ output: OutputTemplate?)
    -> OutputTemplate
  {
    guard let output, !report.pieces.contains(where: \.makesFolder) else { return report }
    var folder: [OutputTemplate.Piece] = []
    var pending: [OutputTemplate.Piece] = []
    let slash = UInt8(ascii: "/")
    for piece in output.pieces {
      if case .literal(let bytes) = piece, let last = bytes.lastIndex(of: slash) {
        folder += pending + [.literal(Array(bytes[...last]))]
        pending = [.literal(Array(bytes[(last + 1)...]))]
      } else {
        pending.append(piece)
      }
    }
    return OutputTemplate(pieces: folder + report.pieces)
  }
}

extension OutputTemplate.Piece {
  fileprivate var makesFolder: Bool {
    switch self {
    case .literal(let bytes): bytes.contains(UInt8(ascii: "/"))
    case .field(let field): field == .directory
    }
  }
}
