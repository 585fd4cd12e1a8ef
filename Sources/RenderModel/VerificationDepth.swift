/// How closely the outputs of a job are looked at before they are published.
package enum VerificationDepth: String, Hashable, Sendable, CaseIterable {
  /// Type, size, depth and profile.
  case header
  /// All pixels are decoded as well.
  case full
}
