extension FilterCatalogue {
  /// More pixels than any format holds on a side.
  static let largestSide = 10_000_000.0

  static let geometry = [
    FilterDescription(
      "orient", .geometry, summary: "Turns or mirrors the picture by quarter turns.",
      parameters: [
        ParameterDescription(
          "orientation", .whole(1...8, default: nil),
          "what to do to the picture as it is displayed, as an EXIF orientation")
      ],
      identity: "orientation 1",
      formula: "1 as it is, 2 mirrored left–right, 3 half a turn, 4 mirrored top–bottom, "
        + "5 mirrored along the falling diagonal, 6 a quarter turn clockwise, "
        + "7 mirrored along the rising diagonal, 8 a quarter turn anticlockwise",
      source: "Exif 2.32, tag 274"),
    FilterDescription(
      "crop", .geometry, summary: "Cuts out a rectangle.",
      parameters: [
        ParameterDescription(
          "x", .number(0...largestSide, default: nil), unit: "`unit`", "left edge, from the left"),
        ParameterDescription(
          "y", .number(0...largestSide, default: nil), unit: "`unit`", "top edge, from the top"),
        ParameterDescription(
          "width", .number(0...largestSide, default: nil), unit: "`unit`", "more than 0"),
        ParameterDescription(
          "height", .number(0...largestSide, default: nil), unit: "`unit`", "more than 0"),
        ParameterDescription(
          "unit", .choice(["fraction", "pixel"], default: "fraction"),
          "fractions of the sides, then all in 0…1, or whole pixels"),
        ParameterDescription(
          "frame", .choice(["displayed", "stored"], default: "displayed"),
          "the picture as it is shown, or as it lies in the file before its orientation"),
      ],
      identity: "the whole picture", formula: "result(i, j) = picture(x + i, y + j)",
      source: "elementary"),
    FilterDescription(
      "straighten", .geometry,
      summary: "Turns the picture by a small angle and cuts off the empty corners.",
      parameters: [
        ParameterDescription(
          "degrees", .number(-45...45, default: nil), unit: "°", "positive turns clockwise")
      ],
      identity: "degrees 0",
      formula: "rotation about the centre by θ = |degrees|, then the largest centred rectangle of "
        + "the old aspect ratio k = h/w: w′ = min(w / (cos θ + k·sin θ), h / (sin θ + k·cos θ)), "
        + "h′ = k·w′",
      source: "elementary"),
  ]

  static let light = [
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

  static let colour = [
    FilterDescription(
      "saturation", .point, summary: "Moves colours away from or towards the grey of their light.",
      parameters: [
        ParameterDescription(
          "amount", .number(0...4, default: nil), "0 is grey, 1 leaves all as it is")
      ],
      identity: "amount 1",
      formula: "c′ = Y + amount · (c − Y), Y = 0.2126 R + 0.7152 G + 0.0722 B, "
        + "in linear light on sRGB primaries",
      source: "W3C Filter Effects, saturate(), in linear light; weights of ITU-R BT.709"),
    FilterDescription(
      "temperatureTint", .point, summary: "Balances white for the light the picture was taken in.",
      parameters: [
        ParameterDescription(
          "temperature", .number(2000...25_000, default: 6500), unit: "K",
          "of the light; above 6500 makes the picture warmer"),
        ParameterDescription(
          "tint", .number(-150...150, default: 0), unit: "1/3000 in CIE 1960 uv",
          "of the light; positive for greenish light makes the picture more magenta"),
      ],
      identity: "temperature 6500 and tint 0",
      formula: "Bradford adaptation in linear light from the white of (temperature, tint) to that "
        + "of (6500, 0). The white lies on the CIE daylight locus from 4000 K, on the Planckian "
        + "locus to 3000 K, between them on their mix linear in 1/T, and is moved by tint / 3000 "
        + "at a right angle to the locus, positive towards green",
      source: "CIE 015 (daylight); M. Krystek 1985 (Planckian); ICC.1 annex E (Bradford); "
        + "the tint's scale is that of Adobe's DNG SDK"),
  ]

  static let detail = [
    FilterDescription(
      "sharpen", .neighbourhood,
      summary: "Raises the contrast of edges by an unsharp mask on luminance.",
      parameters: [
        ParameterDescription("amount", .number(0...5, default: nil), "strength"),
        ParameterDescription(
          "radius", .number(0.1...100, default: 1), unit: "pixels", "σ of the Gaussian"),
        ParameterDescription(
          "threshold", .number(0...1, default: 0), "smaller differences are left alone"),
      ],
      identity: "amount 0",
      formula:
        "L′ = L + amount · d where |d| ≥ threshold, else L; d = L − Gσ ∗ L, the Gaussian to 3σ; "
        + "L is luminance encoded by the sRGB curve; all channels get the gain of its light",
      source: "Apple Core Image filter reference, CIUnsharpMask; darktable manual, sharpen")
  ]
}
