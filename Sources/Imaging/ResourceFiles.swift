import ColourEngine
import RenderModel

/// Reads the files that a plan's filters name.
enum ResourceFiles {
  /// `descriptors`: one for each of the plan's resources, in order.
  static func read(
    _ plan: RenderPlan, _ descriptors: [Int32]
  ) throws(RenderFailure) -> FilterResources {
    .none
  }
}
