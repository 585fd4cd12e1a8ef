import ColourEngine
import RenderModel

/// Reads the files that a plan's filters name.
enum ResourceFiles {
  /// What a filter wants of a file; one file may serve several.
  private enum Use: Hashable {
    case table, bitmap
  }

  /// `descriptors`: one for each of the plan's resources, in order.
  static func read(
    _ plan: RenderPlan, _ descriptors: [Int32]
  ) throws(RenderFailure) -> FilterResources {
    var resources = FilterResources.none
    let uses = uses(in: plan)
    for (name, descriptor) in zip(plan.resources, descriptors) {
      for use in uses[name] ?? [] {
        switch use {
        case .table:
          resources.tables[name] = try TableFile(name: name, descriptor: descriptor).read(
            plan.limits)
        case .bitmap:
          resources.bitmaps[name] = try BitmapFile(name: name, descriptor: descriptor).read(
            plan.limits)
        }
      }
    }
    return resources
  }

  private static func uses(in plan: RenderPlan) -> [String: Set<Use>] {
    var uses: [String: Set<Use>] = [:]
    for step in plan.filters {
      if step.name == "lut3d", let name = step.file("path") {
        uses[name, default: []].insert(.table)
      }
      for name in step.mask?.files ?? [] { uses[name, default: []].insert(.bitmap) }
    }
    return uses
  }
}
