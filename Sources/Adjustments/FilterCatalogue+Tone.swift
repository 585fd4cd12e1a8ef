extension FilterCatalogue {
  static let tone = [
    FilterDescription(
      "exposure", .point, summary: "Brightens or darkens as a longer or shorter exposure would.",
      parameters: [
        ParameterDescription("ev", .number(-10...10, default: nil), unit: "stops", "exposure value")
      ],
      identity: "ev 0", formula: "x′ = x · 2^ev, in linear light",
      source: "Apple Core Image filter reference, CIExposureAdjust"),
    FilterDescription(
      "contrast", .point, summary: "Spreads or narrows the values around a pivot.",
      parameters: [
        ParameterDescription("amount", .number(0...4, default: nil), "1 leaves all as it is"),
        ParameterDescription(
          "pivot", .number(0...1, default: 0.5), "the encoded value that stays"),
      ],
      identity: "amount 1", formula: "e′ = (e − pivot) · amount + pivot, encoded",
      source: "Apple Core Image filter reference, CIColorControls; W3C Filter Effects, contrast()"),
    FilterDescription(
      "brightness", .point, summary: "Adds the same amount to every encoded value.",
      parameters: [ParameterDescription("amount", .number(-1...1, default: nil), "what is added")],
      identity: "amount 0", formula: "e′ = e + amount, encoded",
      source: "Apple Core Image filter reference, CIColorControls"),
    FilterDescription(
      "gamma", .point, summary: "Raises light to a power: midtones darker above 1, brighter below.",
      parameters: [
        ParameterDescription("power", .number(0.25...4, default: nil), "the exponent")
      ],
      identity: "power 1",
      formula: "x′ = sign(x) · |x|^power, in linear light on sRGB primaries; where |x| < 2⁻¹⁴, "
        + "x′ = x · 2^(14 − 14 · power), the straight line from 0",
      source: "Apple Core Image filter reference, CIGammaAdjust; negative values and the line, "
        + "which keeps rounding errors at black small, are ours"),
    levels,
    FilterDescription(
      "whitesBlacks", .point, summary: "Moves the bright and the dark end of the values.",
      parameters: [
        ParameterDescription(
          "whites", .number(-1...1, default: 0), "above 0 the bright end becomes brighter"),
        ParameterDescription(
          "blacks", .number(-1...1, default: 0), "below 0 the dark end becomes darker"),
      ],
      identity: "whites 0 and blacks 0",
      formula:
        "e′ = e + ¼ · (whites · p(e) + blacks · p(1 − e)), encoded, with p(t) = 0 for t ≤ 0, "
        + "t³ to 1 and 3 t − 2 above: a smooth curve that always rises, its slope from 0.25 up",
      source: "our own definition"),
    toneCurve,
  ]

  private static let levels = FilterDescription(
    "levels", version: 2,
    older: [
      OlderVersion(
        1, parameters: levelsPoints,
        "has no `clamp` and holds t to 0…1 always, so that colours outside sRGB are lost.")
    ], .point, summary: "Spreads the values between a black and a white point.",
    parameters: levelsPoints + [
      ParameterDescription(
        "clamp", .flag(default: false),
        "whether what lies beyond the black and the white point becomes them")
    ],
    identity: "black 0, white 1, gamma 1, outputBlack 0, outputWhite 1; a set of five with these "
      + "values does nothing, also outside 0…1",
    formula: "t = (e − black) / (white − black), with clamp held to 0…1, "
      + "e′ = outputBlack + (outputWhite − outputBlack) · sign(t) · |t|^(1/gamma), encoded; first "
      + "the five for all channels, then each channel's own. Where gamma is not 1 and |t| < 2⁻¹², "
      + "|t|^(1/gamma) is the straight line from 0",
    source: "GIMP documentation, Levels, whose clamps are optional too; the line, which keeps "
      + "rounding errors at black small, is ours")

  private static let levelsPoints =
    [
      ParameterDescription(
        "black", .number(0...0.99, default: 0), "the encoded value that becomes outputBlack"),
      ParameterDescription(
        "white", .number(0.01...1, default: 1),
        "the one that becomes outputWhite, at least 0.01 above black"),
      ParameterDescription(
        "gamma", .number(0.1...10, default: 1), "above 1 the midtones become brighter"),
      ParameterDescription("outputBlack", .number(0...1, default: 0), "the lowest result"),
      ParameterDescription(
        "outputWhite", .number(0...1, default: 1),
        "the highest result; below outputBlack the picture is turned into its negative"),
    ]
    + ["red", "green", "blue"].map { channel in
      ParameterDescription(
        channel, .numbers(5...5, 0...10, default: [0, 1, 1, 0, 1]),
        "[black, white, gamma, outputBlack, outputWhite] of \(channel), in the same ranges")
    }

  /// What the first version of curves did.
  static let heldEnds =
    "holds curves beyond their first and last points always, so that colours outside sRGB are lost."

  private static let toneCurve = FilterDescription(
    "toneCurve", version: 2, older: [OlderVersion(1, heldEnds)], .point,
    summary: "Maps encoded values by smooth curves through points.",
    parameters: [
      ParameterDescription(
        "points", .points(2...256, isOptional: true),
        "[[x, y], …]: the value before and after, for all channels; x rises strictly"),
      ParameterDescription(
        "red", .points(2...256, isOptional: true), "the same for red alone, after points"),
      ParameterDescription("green", .points(2...256, isOptional: true), "for green alone"),
      ParameterDescription("blue", .points(2...256, isOptional: true), "for blue alone"),
      ParameterDescription(
        "luminance", .points(2...256, isOptional: true),
        "for luminance, which keeps hues, after all others"),
    ],
    identity: "points on the straight line from [0, 0] to [1, 1]; such a curve does nothing, also "
      + "outside 0…1",
    formula: "At least one curve must be given. e′ = c(e), encoded; c is the monotone piecewise "
      + "cubic through the points. An end that lies in a corner of the square, as [0, 0] and [1, 1] do, is no "
      + "limit: beyond it the curve goes on straight with the slope that it has there, so that "
      + "colours outside sRGB and lights above white keep their differences. Any other end is held. luminance: with Y the "
      + "CIE luminance (Rec. 2020 primaries) and L(Y) the light of c(encoded Y), "
      + "x′ = x · (L(Y) − L(0)) / Y + L(0) for each channel, in linear light: light that the "
      + "curve gives to black is added as grey and the rest scales the colour. At and below Y = 0 "
      + "the factor is its limit at 0, from Y = 64 on it stays",
    source: "F. N. Fritsch and R. E. Carlson, Monotone Piecewise Cubic Interpolation, 1980; "
      + "luminance is our own definition")
}
