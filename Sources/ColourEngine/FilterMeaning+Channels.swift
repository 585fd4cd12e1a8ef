import RenderModel

extension FilterMeaning {
  /// Filters that map each channel by itself; nil for all others.
  static func channelOperations(_ step: FilterStep) -> [ColourProgram.Operation]? {
    switch step.name {
    case "posterize":
      guard let levels = step.number("levels") else { return nil }
      return encoded(ChannelLevels(levels))
    case "invert":
      guard let amount = step.number("amount") else { return nil }
      return amount == 0 ? [] : encoded([.contrast(amount: 1 - 2 * amount, pivot: 0.5)])
    case "clamp":
      guard let least = step.number("min"), let most = step.number("max") else { return nil }
      // The curve rises, so the limits may be decoded instead of the picture encoded.
      let curve = TransferCurve.sRGB
      return [
        .matrix(RGBSpace.sRGB.fromWorking),
        .function(ChannelClamp(from: curve.decode(least), to: curve.decode(most))),
        .matrix(RGBSpace.sRGB.toWorking),
      ]
    default: return nil
    }
  }
}
