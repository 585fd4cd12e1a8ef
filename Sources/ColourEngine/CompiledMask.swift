import Glibc
import RenderModel

/// Masks of a record made ready for pixels.
enum CompiledMask {
  /// nil when the kind is unknown, or a parameter or a file is missing.
  static func make(
    _ mask: FilterMask, _ placed: PlacedStep, _ resources: FilterResources
  ) -> (any MaskFunction)? {
    guard let function = upright(mask, placed, resources) else { return nil }
    return mask.isInverted ? InvertedMask(inner: function) : function
  }

  private static func upright(
    _ mask: FilterMask, _ placed: PlacedStep, _ resources: FilterResources
  ) -> (any MaskFunction)? {
    let frame = MaskFrame(placed.toPicture)
    switch mask.kind {
    case "linearGradient":
      guard let from = mask.point("from"), let to = mask.point("to") else { return nil }
      return LinearGradientMask(from: from, to: to, in: frame)
    case "radial":
      guard let center = mask.point("center"), let radius = mask.point("radius"),
        let unit = mask.text("unit"), let degrees = mask.number("rotation"),
        let feather = mask.number("feather")
      else { return nil }
      return RadialMask(
        center: center, radius: radius, isOfShortSide: unit == "shortSide", degrees: degrees,
        feather: feather, in: frame)
    case "luminanceRange":
      guard let from = mask.number("from"), let to = mask.number("to"),
        let feather = mask.number("feather")
      else { return nil }
      return LuminanceRangeMask(from: from, to: to, feather: feather)
    case "colourRange":
      guard let colour = mask.numbers("colour"), colour.count == 3,
        let tolerance = mask.number("tolerance"), let feather = mask.number("feather")
      else { return nil }
      return ColourRangeMask(
        colour: SIMD3(colour[0], colour[1], colour[2]), tolerance: tolerance, feather: feather)
    case "hueRange":
      guard let hue = mask.number("hue"), let tolerance = mask.number("tolerance"),
        let feather = mask.number("feather"), let chroma = mask.number("chroma")
      else { return nil }
      return HueRangeMask(hue: hue, tolerance: tolerance, feather: feather, chroma: chroma)
    case "bitmap":
      guard let name = mask.file("path"), let bitmap = resources.bitmaps[name],
        let feather = mask.number("feather")
      else { return nil }
      return BitmapMask(bitmap, feather: feather, in: frame)
    case "combine":
      guard let operation = mask.text("operation").flatMap(CombinedMask.Operation.init)
      else { return nil }
      let parts = mask.parts.compactMap { make($0, placed, resources) }
      guard !parts.isEmpty, parts.count == mask.parts.count else { return nil }
      return CombinedMask(operation: operation, parts: parts)
    default: return nil
    }
  }
}

extension FilterMask {
  fileprivate func point(_ name: String) -> SIMD2<Double>? {
    guard let pair = numbers(name), pair.count == 2 else { return nil }
    return SIMD2(pair[0], pair[1])
  }
}
