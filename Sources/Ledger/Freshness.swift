package import RenderModel

/// Decides whether a job's outputs are up to date, from what is known and what is there now.
package enum Freshness {
  /// A file as it is now.
  package struct File: Sendable, Equatable {
    package var identity: FileIdentity
    /// nil until somebody had to read the file.
    package var sha256: String?
    package init(identity: FileIdentity, sha256: String? = nil) {
      self.identity = identity
      self.sha256 = sha256
    }
  }

  /// A file that a filter reads, as it is now.
  package struct Resource: Sendable, Equatable {
    /// Beneath the library.
    package var path: RelativePath
    package var file: File
    package init(path: RelativePath, file: File) {
      self.path = path
      self.file = file
    }
  }

  package enum Adjustment: Sendable, Equatable {
    /// The manifest says that there is none.
    case none
    /// Looked for beside the asset, and none found.
    case notFound
    case record(sha256: String)
  }

  /// What a job would be made from now, and what lies under its recorded names.
  package struct Current: Sendable, Equatable {
    package var source: File
    package var adjustment: Adjustment
    /// Digest of all that is asked for: renditions, name templates, tolerance.
    package var recipe: String
    /// The versions in which each filter is used: several where a record pins some of them.
    package var filterVersions: [String: Set<Int>]
    /// What the filters read, in the order of their first use.
    package var resources: [Resource]
    /// One for each output of the entry, in its order; nil where there is no file.
    package var outputs: [File?]
    /// Whether the entry's report file is there; true when it has none.
    package var hasReportFile: Bool
    package var isForced: Bool
    /// Only digests tell that a file is what it was.
    package var ignoresTimes: Bool

    package init(
      source: File, adjustment: Adjustment, recipe: String,
      filterVersions: [String: Set<Int>], resources: [Resource] = [], outputs: [File?] = [],
      hasReportFile: Bool = true, isForced: Bool = false, ignoresTimes: Bool = false
    ) {
      self.source = source
      self.adjustment = adjustment
      self.recipe = recipe
      self.filterVersions = filterVersions
      self.resources = resources
      self.outputs = outputs
      self.hasReportFile = hasReportFile
      self.isForced = isForced
      self.ignoresTimes = ignoresTimes
    }
  }

  package enum Subject: Hashable, Sendable {
    case source
    /// Index into the current resources.
    case resource(Int)
    /// Index into the entry's outputs.
    case output(Int)
  }

  package enum Decision: Hashable, Sendable {
    case fresh
    case render(RenderReason)
    case kept(KeptCode)
    /// The file looks touched: read it and ask again with its digest.
    case needsDigest(of: Subject)
  }

  package static func decide(_ entry: LedgerEntry?, _ current: Current) -> Decision {
    guard let entry else { return .render(current.isForced ? .forced : .new) }
    // Before everything else, force included: an unmounted folder must not undo a library's edits.
    if current.adjustment == .notFound, entry.hadRecord { return .kept(.recordMissing) }
    if current.isForced { return .render(.forced) }

    guard let source = entry.source else { return .render(.new) }
    let known = Known(
      sha256: source.sha256, bytes: source.identity?.size, identity: source.identity)
    switch compare(known, current.source, ignoresTimes: current.ignoresTimes) {
    case .same: break
    case .different: return .render(.sourceChanged)
    case .undecided: return .needsDigest(of: .source)
    }
    if let reason = changedPlan(entry, current) { return .render(reason) }
    if let decision = changedResource(entry, current) { return decision }
    guard !entry.outputs.isEmpty, isSettledOutcome(entry.outcome) else { return .render(.new) }
    return decideOutputs(entry, current)
  }

  /// Whether the outputs that stand may be up to date; a kept photo's may be when its record is back.
  private static func isSettledOutcome(_ state: OutcomeState) -> Bool {
    state == .rendered || state == .degraded || state == .kept
  }

  private static func changedPlan(_ entry: LedgerEntry, _ current: Current) -> RenderReason? {
    let digest: String? =
      if case .record(let sha256) = current.adjustment { sha256 } else { nil }
    if digest != entry.adjustment?.sha256 { return .adjustmentChanged }
    if current.recipe != entry.recipe { return .recipeChanged }
    for filter in entry.filters {
      let now = current.filterVersions[filter.name] ?? []
      if !now.contains(filter.version) {
        return .filterChanged(name: filter.name, from: filter.version, to: now.max())
      }
    }
    return nil
  }

  /// Compares the files of one record by their order: the same bytes under another name are the same.
  ///
  /// nil when all are what they were.
  private static func changedResource(_ entry: LedgerEntry, _ current: Current) -> Decision? {
    guard entry.resources.count == current.resources.count else {
      // The record is the same, so its names lead to other files than they did.
      let known = Set(entry.resources.map(\.path))
      let odd = current.resources.first { !known.contains($0.path) }?.path
      let path = odd ?? current.resources.first?.path ?? entry.resources.first?.path
      return .render(.lookChanged(file: path?.displayed ?? ""))
    }
    var undecided: Int?
    for (index, resource) in current.resources.enumerated() {
      let before = entry.resources[index]
      let known = Known(
        sha256: before.sha256, bytes: Int64(before.bytes), identity: before.identity)
      switch compare(known, resource.file, ignoresTimes: current.ignoresTimes) {
      case .same: break
      case .different: return .render(.lookChanged(file: resource.path.displayed))
      case .undecided: undecided = undecided ?? index
      }
    }
    return undecided.map { .needsDigest(of: .resource($0)) }
  }

  private static func decideOutputs(_ entry: LedgerEntry, _ current: Current) -> Decision {
    if !current.hasReportFile { return .render(.outputMissing) }
    var undecided: Int?
    for (index, output) in entry.outputs.enumerated() {
      guard index < current.outputs.count, let file = current.outputs[index] else {
        return .render(.outputMissing)
      }
      let known = Known(
        sha256: output.sha256, bytes: Int64(output.bytes), identity: output.identity)
      switch compare(known, file, ignoresTimes: current.ignoresTimes) {
      case .same: break
      case .different: return .render(.outputDamaged)
      case .undecided: undecided = undecided ?? index
      }
    }
    return undecided.map { .needsDigest(of: .output($0)) } ?? .fresh
  }

  private struct Known {
    var sha256: String
    /// nil when the size was not recorded.
    var bytes: Int64?
    var identity: FileIdentity?
  }

  private enum Comparison { case same, different, undecided }

  private static func compare(
    _ known: Known, _ file: File, ignoresTimes: Bool
  ) -> Comparison {
    if let bytes = known.bytes, bytes != file.identity.size { return .different }
    if let sha256 = file.sha256 { return sha256 == known.sha256 ? .same : .different }
    guard !ignoresTimes, let identity = known.identity else { return .undecided }
    return identity == file.identity ? .same : .undecided
  }
}
