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
  case forced
}

extension RenderReason: CustomStringConvertible {
  /// The spelling of reports and plans, such as `filterChanged(exposure, 1, 2)`.
  package var description: String {
    switch self {
    case .new: "new"
    case .sourceChanged: "sourceChanged"
    case .adjustmentChanged: "adjustmentChanged"
    case .recipeChanged: "recipeChanged"
    case .filterChanged(let name, let from, let to):
      "filterChanged(\(name), \(from), \(to.map(String.init) ?? "none"))"
    case .lookChanged(let file): "lookChanged(\(file))"
    case .outputMissing: "outputMissing"
    case .outputDamaged: "outputDamaged"
    case .forced: "forced"
    }
  }
}
