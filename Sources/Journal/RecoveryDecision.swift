/// What to do with an interrupted replacement: put the rest in place, or leave it to be done again.
package enum RecoveryDecision: Equatable, Sendable {
  /// Where the bytes of one name were found.
  package enum Finding: Equatable, Sendable {
    /// In the staging folder, whole.
    case staged
    /// Under the final name already.
    case placed
    case nowhere
  }

  /// The names, by index, that are still to be put in place; none when all are.
  case complete(renaming: [Int])
  /// Nothing is renamed: a set is never half new on purpose.
  case leave

  package static func decide(_ findings: [Finding]) -> RecoveryDecision {
    if findings.isEmpty || findings.contains(.nowhere) { return .leave }
    return .complete(renaming: findings.indices.filter { findings[$0] == .staged })
  }
}
