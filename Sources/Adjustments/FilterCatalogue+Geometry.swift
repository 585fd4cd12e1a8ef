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
    FilterDescription(
      "flip", .geometry, summary: "Mirrors the picture as it is displayed.",
      parameters: [
        ParameterDescription(
          "direction", .choice(["horizontal", "vertical"], default: "horizontal"),
          "what changes places: left and right, or top and bottom")
      ],
      identity: "nothing; twice the same",
      formula: "horizontal result(i, j) = picture(w − 1 − i, j), vertical "
        + "result(i, j) = picture(i, h − 1 − j)",
      source: "elementary"),
    perspective, pad, border, overlay,
  ]

  /// How far outside the picture a corner of `perspective` may lie, as a fraction of the side.
  private static let cornerRange = -0.25...1.25

  private static let perspective = FilterDescription(
    "perspective", .geometry, summary: "Makes a rectangle of a quadrilateral of the picture.",
    parameters: PerspectiveCorners.names.map { name, corner in
      ParameterDescription(
        name, .numbers(2...2, cornerRange, default: [corner.x, corner.y]),
        unit: "fractions of the sides",
        "[x, y] from the top left of the displayed picture; what is to become that corner")
    },
    identity: "the picture's own corners",
    formula: "the homography H, a 3 × 3 matrix, that takes the corners of the result to the four "
      + "points: result(u, v) = picture(H·[u, v, 1]ᵀ) with [x, y, z] read as (x/z, y/z). Width and "
      + "height of the result are the mean lengths, in pixels, of the quadrilateral's two sides "
      + "across and its two sides down, rounded. One interpolation in linear light by the "
      + "Catmull-Rom kernel, on each axis of the picture max(1, s) times as wide, where s is the "
      + "length of that axis' gradient (∂x/∂u, ∂x/∂v); beyond the edge the edge goes on. The "
      + "points must go round clockwise and be convex",
    source: "Hartley & Zisserman, Multiple View Geometry, 2nd ed., section 4.1; Heckbert, "
      + "Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3; "
      + "Catmull & Rom 1974")

  private static let pad = FilterDescription(
    "pad", .geometry, summary: "Adds a canvas around the picture.",
    parameters: ["top", "right", "bottom", "left"].map { side in
      ParameterDescription(
        side, .number(0...10, default: 0), unit: "fraction of the short side", "canvas at that side"
      )
    } + [
      ParameterDescription(
        "aspect", .number(0...100, default: 0),
        "width over height that the canvas is widened to after that, the picture in the middle; "
          + "0 leaves it"), canvasColour("of the canvas"),
    ],
    identity: "no margin, aspect 0 or the picture's own",
    formula: "margins of ⌊f·min(w, h) + ½⌋ pixels; then with aspect a the width "
      + "max(w, ⌊h·a + ½⌋) or else the height max(h, ⌊w/a + ½⌋), an odd pixel at the right or the "
      + "bottom. Filters before it leave the canvas alone, filters after it do not",
    source: "elementary")

  private static let border = FilterDescription(
    "border", .geometry, summary: "Puts an even border around the picture or over its edges.",
    parameters: [
      ParameterDescription(
        "width", .number(0...0.5, default: nil), unit: "fraction of the short side",
        "how wide the border is"), canvasColour("of the border"),
      ParameterDescription(
        "inside", .flag(default: false),
        "whether it covers the edges of the picture, whose size stays; else it is added around"),
    ],
    identity: "width 0",
    formula: "width 0 or max(1, ⌊f·min(w, h) + ½⌋) pixels on all four sides",
    source: "elementary")

  private static func canvasColour(_ whose: String) -> ParameterDescription {
    ParameterDescription(
      "colour", .numbers(3...3, 0...1, default: [1, 1, 1]), unit: "encoded sRGB",
      "[red, green, blue] \(whose), opaque")
  }

  private static let overlay = FilterDescription(
    "overlay", .geometry, summary: "Lays another picture over this one, such as a watermark.",
    parameters: [
      ParameterDescription(
        "path", .file,
        "a picture; its transparency, colour profile and orientation count; one side may be up to "
          + "100 times the other"),
      ParameterDescription(
        "anchor",
        .choice(
          [
            "topLeft", "top", "topRight", "left", "center", "right", "bottomLeft", "bottom",
            "bottomRight",
          ], default: "bottomRight"),
        "the place of the displayed picture that the same place of the other one lies at"),
      ParameterDescription(
        "x", .number(-10...10, default: 0), unit: "fraction of the short side",
        "moves it to the right"),
      ParameterDescription(
        "y", .number(-10...10, default: 0), unit: "fraction of the short side", "moves it down"),
      ParameterDescription(
        "scale", .number(0.001...4, default: 0.25), unit: "fraction of the width",
        "how wide the other picture is shown; its aspect ratio stays"),
    ],
    identity: "opacity 0",
    formula: "the other picture resampled to ⌊scale·w + ½⌋ × ⌊scale·w·h₂/w₂ + ½⌋ pixels, at least "
      + "1 × 1, in linear light with premultiplied alpha: downwards by Lanczos with three lobes as "
      + "wide as the reduction, upwards by Catmull-Rom; placed at whole pixels, "
      + "⌊(w − w′)·{0, ½, 1} + x·min(w, h) + ½⌋ across and likewise down; then "
      + "c = o·c₂ + (1 − o·α₂)·c₁ and α = o·α₂ + (1 − o·α₂)·α₁ with opacity o, c premultiplied",
    source: "Porter & Duff, Compositing Digital Images, 1984 (over)")
}
