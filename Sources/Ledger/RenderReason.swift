/// Why a job is rendered although it may have been rendered before.
package enum RenderReason: Hashable, Sendable {
  /// Never rendered, or not to the end.
  case new
  case sourceChanged
  case adjustmentChanged
  case recipeChanged
  /// `to` is nil for a filter that the catalogue no longer has.
  case filterChanged(name: String, from: Int, to: Int?)
  /// A LUT, mask or overlay that a filter reads has other bytes; its path beneath the library.
  case lookChanged(file: String)
  case outputMissing
  case outputDamaged
  /// Other versions of the libraries made the outputs; a reason only where that is asked for.
  case engineDiffers
  case forced

  /// A reason without what it says of its job; the names that people write.
  package enum Kind: String, Sendable, CaseIterable {
    case new, sourceChanged, adjustmentChanged, recipeChanged, filterChanged, lookChanged
    case outputMissing, outputDamaged, engineDiffers, forced
  }

  package var kind: Kind {
    switch self {
    case .new: .new
    case .sourceChanged: .sourceChanged
    case .adjustmentChanged: .adjustmentChanged
    case .recipeChanged: .recipeChanged
    case .filterChanged: .filterChanged
    case .lookChanged: .lookChanged
    case .outputMissing: .outputMissing
    case .outputDamaged: .outputDamaged
    case .engineDiffers: .engineDiffers
    case .forced: .forced
    }
  }
}

extension RenderReason: CustomStringConvertible {
  /// The spelling of reports and plans, such as `filterChanged(exposure, 1, 2)`.
  package var description: String {
    switch self {
    case .filterChanged(let name, let from, let to):
      "\(kind.rawValue)(\(name), \(from), \(to.map(String.init) ?? "none"))"
    case .lookChanged(let file): "\(kind.rawValue)(\(file))"
    default: kind.rawValue
    }
  }
}
