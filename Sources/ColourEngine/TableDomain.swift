/// The values that a table is for, channel by channel.
struct TableDomain: Hashable, Sendable {
  let lowest: SIMD3<Float>
  let highest: SIMD3<Float>

  static let unit = TableDomain(SIMD3(repeating: 0), SIMD3(repeating: 1))

  /// `highest` must lie above `lowest` in every channel.
  init(_ lowest: SIMD3<Float>, _ highest: SIMD3<Float>) {
    self.lowest = lowest
    self.highest = highest
  }

  /// Steps from point to point in a unit of the value.
  func scale(points: Int) -> SIMD3<Float> {
    SIMD3(repeating: Float(points - 1)) / (highest - lowest)
  }
}
