import ColourEngine

/// Brightness and two colour differences from roots of linear light, where noise of light is even; of
/// eight pixels.
struct OpponentRoot {
  var brightness: SIMD8<Float>
  /// Blue and red, less the brightness.
  var blueness: SIMD8<Float>
  var redness: SIMD8<Float>

  /// What is added before the root: near black noise does not fall with light.
  private static var offset: Float { 1 / 1024 }
  private static var rootOfOffset: Float { 1 / 32 }
  private static var redWeight: Float { 0.262_700_21 }
  private static var greenWeight: Float { 0.677_998_07 }
  private static var blueWeight: Float { 0.059_301_72 }

  @inline(__always)
  init(brightness: SIMD8<Float>, blueness: SIMD8<Float>, redness: SIMD8<Float>) {
    self.brightness = brightness
    self.blueness = blueness
    self.redness = redness
  }

  /// Of colours that are not premultiplied.
  @inline(__always)
  init(_ light: EightPixels) {
    let (red, blue) = (Self.root(light.red), Self.root(light.blue))
    brightness = (red * Self.redWeight)
      .adding(Self.root(light.green), times: SIMD8(repeating: Self.greenWeight))
      .adding(blue, times: SIMD8(repeating: Self.blueWeight))
    blueness = blue - brightness
    redness = red - brightness
  }

  @inline(__always)
  var light: EightPixels {
    let green =
      brightness - blueness * (Self.blueWeight / Self.greenWeight)
      - redness * (Self.redWeight / Self.greenWeight)
    return EightPixels(
      red: Self.square(brightness + redness), green: Self.square(green),
      blue: Self.square(brightness + blueness))
  }

  @inline(__always)
  private static func root(_ light: SIMD8<Float>) -> SIMD8<Float> {
    ((light.magnitudes + offset).roots - rootOfOffset).signed(as: light)
  }

  /// (s + √c)² − c
  @inline(__always)
  private static func square(_ root: SIMD8<Float>) -> SIMD8<Float> {
    let size = root.magnitudes
    return (size * (size + 2 * rootOfOffset)).signed(as: root)
  }
}
