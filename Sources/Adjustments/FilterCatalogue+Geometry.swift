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
}
