/// One asset, one adjustment, its renditions and a deadline: a line of a manifest, decoded.
package struct Job: Hashable, Sendable {
  /// Where a job's adjustment record comes from.
  package enum AdjustmentSource: Hashable, Sendable {
    /// Found beside the asset by each format's own naming rule.
    case sidecar
    case none
    case record(AdjustmentRecord)
    /// A file beneath the library.
    case file(RelativePath)
  }

  package enum OnKept: String, Hashable, Sendable, CaseIterable {
    case leave
  }

  /// One rendition and the template of its name beneath the output folder.
  package struct Output: Hashable, Sendable {
    package var rendition: Rendition
    package var template: OutputTemplate
    package init(rendition: Rendition, template: OutputTemplate) {
      self.rendition = rendition
      self.template = template
    }
  }

  package var id: String
  package var asset: RelativePath
  package var adjustment: AdjustmentSource
  package var outputs: [Output]
  package var deadline: DeadlinePolicy
  package var limits: RenderLimits
  package var tolerant: Bool
  package var rawSource: RAWSource
  package var onKept: OnKept
  /// The template of the report file beside the renders; nil for none.
  package var reportTemplate: OutputTemplate?

  package init(
    id: String, asset: RelativePath, adjustment: AdjustmentSource, outputs: [Output],
    deadline: DeadlinePolicy = DeadlinePolicy(), limits: RenderLimits = RenderLimits(),
    tolerant: Bool = false, rawSource: RAWSource = .sensor, onKept: OnKept = .leave,
    reportTemplate: OutputTemplate? = nil
  ) {
    self.id = id
    self.asset = asset
    self.adjustment = adjustment
    self.outputs = outputs
    self.deadline = deadline
    self.limits = limits
    self.tolerant = tolerant
    self.rawSource = rawSource
    self.onKept = onKept
    self.reportTemplate = reportTemplate
  }
}
