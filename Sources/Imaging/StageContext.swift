import ColourEngine

/// What the stages of a picture need beside its pixels.
struct StageContext: Sendable {
  /// How many pixels of the full resolution one pixel stands for, on a side.
  var reduction: Int
  var resources: FilterResources
  /// The pictures that are laid over this one, by the names of their files.
  var overlays: [String: OverlayPicture] = [:]
  /// What local filters have learnt, by the index of their stage.
  var analyses: [Int: LocalAnalysis] = [:]
}
