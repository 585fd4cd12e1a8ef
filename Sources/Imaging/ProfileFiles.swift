import ColourEngine
import RenderModel

/// Reads the ICC profiles that a plan's renditions name.
enum ProfileFiles {
  /// More than any real profile has.
  private static let longest = 32 << 20

  /// By the names in the plan; `descriptors`: one for each of the plan's resources, in order.
  static func read(
    _ plan: RenderPlan, _ descriptors: [Int32]
  ) throws(RenderFailure) -> [String: [UInt8]] {
    let wanted = Set(plan.renditions.compactMap(\.profile))
    var profiles: [String: [UInt8]] = [:]
    for (name, descriptor) in zip(plan.resources, descriptors) where wanted.contains(name) {
      guard let count = FileBytes.size(of: descriptor), count <= longest,
        let bytes = FileBytes.head(of: descriptor, count: count)
      else {
        throw RenderFailure(
          code: .invalidJob, stage: .encode,
          detail:
            "the profile \(DisplayText.escaped(name)) cannot be read, or has more than \(longest) "
            + "bytes")
      }
      profiles[name] = bytes
    }
    return profiles
  }
}
