package import RenderModel

/// The four points of a `perspective` filter, as fractions of the displayed picture.
package struct PerspectiveCorners: Hashable, Sendable {
  package struct Problem: Hashable, Sendable {
    /// The parameter that is wrong.
    package var corner: String
    package var text: String
  }

  /// Clockwise from the top left.
  package var points: [SIMD2<Double>]

  /// The parameters, clockwise from the top left, and where they point without a perspective.
  static let names: [(String, SIMD2<Double>)] = [
    ("topLeft", [0, 0]), ("topRight", [1, 0]), ("bottomRight", [1, 1]), ("bottomLeft", [0, 1]),
  ]

  /// Twice the area of the smallest triangle of three neighbouring corners: 1% by 1% of the picture.
  private static let smallest = 1e-4
  /// How much larger one such triangle may be than another: 100 times, or one end of a side is
  /// seen so small that nothing could be made of it.
  private static let steepest = 100.0

  /// nil when a point is missing or has other than two finite numbers.
  package init?(_ step: FilterStep) {
    points = []
    for (name, _) in Self.names {
      guard let pair = step.numbers(name), pair.count == 2, pair[0].isFinite, pair[1].isFinite,
        abs(pair[0]) <= 10, abs(pair[1]) <= 10
      else { return nil }
      points.append([pair[0], pair[1]])
    }
  }

  /// Whether the points are the picture's own corners, so that nothing would change.
  package var isIdentity: Bool { points == Self.names.map(\.1) }

  /// What keeps the quadrilateral from being seen as a rectangle; nil when all is well.
  package var problem: Problem? {
    let areas = (0..<4).map(area)
    for (index, area) in areas.enumerated() where area < Self.smallest {
      let name = Self.names[index].0
      let isReversed = areas.allSatisfy { $0 <= -Self.smallest }
      return Problem(
        corner: name,
        text: isReversed
          ? "the points go round anticlockwise; topLeft, topRight, bottomRight, bottomLeft must go "
            + "round clockwise (flip mirrors a picture)"
          : "the four points are not the corners of a convex quadrilateral that go round clockwise, "
            + "each well away from the line through its neighbours; \(name) is not")
    }
    if let most = areas.max(), let least = areas.min(), most > Self.steepest * least {
      let index = areas.firstIndex(of: least) ?? 0
      return Problem(
        corner: Self.names[index].0,
        text: "the perspective is too steep: the triangle at \(Self.names[index].0) is more than "
          + "\(Wording.number(Self.steepest)) times smaller than another corner's")
    }
    return nil
  }

  /// Twice the area of the triangle of a corner and its neighbours; negative where it goes round
  /// anticlockwise. It is the same in every frame but for a factor.
  private func area(_ index: Int) -> Double {
    let corner = points[index]
    let before = points[(index + 3) % 4] - corner
    let after = points[(index + 1) % 4] - corner
    return after.x * before.y - after.y * before.x
  }
}
