import Adjustments
import ColourEngine
import RenderModel

extension RenderGeometry {
  mutating func addWarp(_ step: FilterStep) throws(RenderFailure) {
    guard let corners = PerspectiveCorners(step), corners.problem == nil else {
      throw Self.invalid(step, "its four points are missing or make no rectangle")
    }
    if corners.isIdentity { return }
    let toStored = orientation.displayedFractions
    guard let back = toStored.inverse else { throw Self.invalid(step, "it cannot be turned") }
    let shown = Perspective.size(of: corners, in: orientation.displayed(size))
    fullSize = orientation.displayed(
      Perspective.size(of: corners, in: orientation.displayed(fullSize)))
    size = orientation.displayed(shown)
    stages.append(.warp(back * Perspective.homography(corners) * toStored, to: size))
  }

  static func flip(_ step: FilterStep) throws(RenderFailure) -> Orientation {
    let number = ["horizontal": 2, "vertical": 4][step.text("direction") ?? ""]
    guard let flip = number.flatMap({ Orientation($0) }) else {
      throw invalid(step, "its direction is neither horizontal nor vertical")
    }
    return flip
  }
}
