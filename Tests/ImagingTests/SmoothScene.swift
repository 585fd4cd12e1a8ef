import Glibc

/// A picture that is known everywhere, not only at its pixels; geometry.py has the same.
enum SmoothScene {
  static func light(_ x: Double, _ y: Double) -> Double {
    0.5 + 0.22 * sin(2 * .pi * x / 83) + 0.2 * cos(2 * .pi * y / 67)
  }
}
