package import RenderModel

/// Decides whether a photo is left alone because its content has ended too many processes.
package struct Quarantine: Sendable, Hashable {
  /// Strikes that are allowed; 0: nothing is ever set aside.
  package var after: Int

  package init(after: Int) { self.after = after }

  /// Whether there are enough strikes, under whatever engine and limits.
  package func isReached(by strikes: Strikes?) -> Bool {
    guard after > 0, let strikes else { return false }
    return strikes.count >= after
  }

  /// What keeps a job from being tried; nil when it may be.
  package func evidence(
    _ strikes: Strikes?, engine: String, within limits: StrikeLimits
  ) -> Strikes? {
    guard let strikes, isReached(by: strikes), strikes.hold(engine: engine, within: limits) else {
      return nil
    }
    return strikes
  }
}
