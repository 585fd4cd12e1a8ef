import ColourEngine

/// What the stages of a picture need beside its pixels.
struct StageContext: Sendable {
  /// How many pixels of the full resolution one pixel stands for, on a side.
  var reduction: Int
  var resources: FilterResources
  /// What local filters have learnt, by the index of their stage.
  var analyses: [Int: LocalAnalysis] = [:]
}
