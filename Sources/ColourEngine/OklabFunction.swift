internal import CPixelKernels
import Glibc

/// Adjustments in Oklab, one after the other, on linear cone responses.
struct OklabFunction: PlanarFunction {
  private let adjustments: [any OklabAdjustment]

  init(_ adjustments: [any OklabAdjustment]) { self.adjustments = adjustments }

  /// An adjustment of linear working RGB.
  static func operations(_ adjustment: any OklabAdjustment) -> [ColourProgram.Operation] {
    [
      .matrix(Oklab.conesFromWorking), .function(OklabFunction([adjustment])),
      .matrix(Oklab.workingFromCones),
    ]
  }

  func followed(by next: any PixelFunction) -> (any PixelFunction)? {
    guard let next = next as? OklabFunction else { return nil }
    return OklabFunction(adjustments + next.adjustments)
  }

  func apply(to planes: ColourPlanes) {
    unsafe minilab_planes_to_oklab(planes.start, planes.groups)
    for adjustment in adjustments { adjustment.apply(to: planes) }
    unsafe minilab_planes_from_oklab(planes.start, planes.groups)
  }

  func bounds(within cones: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds {
    var roots = SegmentedCurves.Bounds(below: cbrt(cones.below), above: cbrt(cones.above))
    for adjustment in adjustments { roots = adjustment.bounds(withinRoots: roots) }
    return SegmentedCurves.Bounds(below: pow(roots.below, 3), above: pow(roots.above, 3))
  }
}

/// A change of colours in Oklab.
protocol OklabAdjustment: Sendable {
  /// The planes hold L, a and b.
  func apply(to planes: ColourPlanes)

  /// Where cube roots of cone responses can lie afterwards.
  func bounds(withinRoots bounds: SegmentedCurves.Bounds) -> SegmentedCurves.Bounds
}
