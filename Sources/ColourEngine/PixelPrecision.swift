/// How true a pass must be to its filters.
package enum PixelPrecision: Hashable, Sendable {
  /// Within 1e-4 of full range after several filters, and 16-bit codes stay what they are.
  case full
  /// A small part of an 8-bit code: for what ends in 8 bits.
  case eightBits

  /// How far a straight piece of a curve may be off in its middle; smooth curves are missed by half
  /// of it, and those with a corner by less than twice.
  var bend: Double {
    switch self {
    case .full: 3e-5
    case .eightBits: 1e-4
    }
  }
}
