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
      "toneCurve", .point, summary: "Maps encoded values by a smooth curve through points.",
      parameters: [
        ParameterDescription(
          "points", .points(2...256), "[[x, y], …]: the value before and after; x rises strictly")
      ],
      identity: "points [[0, 0], [1, 1]] for values in 0…1",
      formula: "e′ = c(e), encoded, the same for each channel; c is the monotone piecewise cubic "
        + "through the points, its ends held beyond the first and last",
      source: "F. N. Fritsch and R. E. Carlson, Monotone Piecewise Cubic Interpolation, 1980"),
  ]
}
