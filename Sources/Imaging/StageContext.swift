import ColourEngine
import RenderModel

/// What the stages of a picture need beside its pixels.
struct StageContext: Sendable {
  /// How many pixels of the full resolution one pixel stands for, on a side.
  var reduction: Int
  var resources: FilterResources
  /// Of passes whose result goes on through other stages.
  var precision = PixelPrecision.full
  /// The pictures that are laid over this one, by the names of their files.
  var overlays: [String: OverlayPicture] = [:]
  /// What local filters have learnt, by the index of their stage.
  var analyses: [Int: LocalAnalysis] = [:]
}

extension StageContext {
  /// Fails before any pixel is touched when a filter cannot be made of its parameters and files.
  func refuseInvalid(_ stages: [RenderGeometry.Stage]) throws(RenderFailure) {
    for stage in stages {
      switch stage {
      case .point(let step, _):
        guard PixelPass.accepts(PlacedStep(step), resources) else { throw Self.invalid(step) }
      case .neighbourhood(let step, _):
        guard NeighbourhoodFilter.make(PlacedStep(step), self) != nil else {
          throw Self.invalid(step)
        }
      default: break
      }
    }
  }

  private static func invalid(_ step: FilterStep) -> RenderFailure {
    RenderFailure(
      code: .invalidAdjustment, stage: .filter,
      detail: "the filter \(step.name): its numbers are missing or out of range")
  }
}
