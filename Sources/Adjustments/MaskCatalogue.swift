/// The kinds of masks of the native format.
package enum MaskCatalogue {
  package static let masks = [
    linearGradient, radial, luminanceRange, colourRange, hueRange, bitmap, combine,
  ]

  /// Masks of one filter, combinations not counted.
  package static let maximumParts = 16
  /// Combinations inside each other.
  package static let deepest = 4

  /// The member that every mask may have.
  package static let invert = ParameterDescription(
    "invert", .flag(default: false), "whether 1 − w is meant")

  /// nil for a name that no mask has.
  package static func description(of name: String) -> MaskDescription? {
    masks.first { $0.name == name }
  }

  /// Points may lie far outside the picture.
  private static let coordinates = -10.0...10.0

  private static let linearGradient = MaskDescription(
    "linearGradient", summary: "Rises from 0 to 1 along a line.",
    parameters: [
      ParameterDescription(
        "from", .numbers(2...2, coordinates, default: nil), unit: "fractions of the sides",
        "[x, y] where the weight begins to rise from 0"),
      ParameterDescription(
        "to", .numbers(2...2, coordinates, default: nil), unit: "fractions of the sides",
        "[x, y] where it has reached 1"),
    ],
    formula: "w = s(t), t = (p − from)·(to − from) / |to − from|², all as displayed, in pixels",
    source: "elementary; s is the smoothstep of GLSL 4.60, 8.3")

  private static let radial = MaskDescription(
    "radial", summary: "Is 1 inside an ellipse and 0 outside.",
    parameters: [
      ParameterDescription(
        "center", .numbers(2...2, coordinates, default: [0.5, 0.5]),
        unit: "fractions of the sides", "[x, y] of the middle"),
      ParameterDescription(
        "radius", .numbers(2...2, 0.001...10, default: nil), unit: "`unit`",
        "[across, down] from the middle to the edge, before rotation"),
      ParameterDescription(
        "unit", .choice(["sides", "shortSide"], default: "sides"),
        "fractions of width and height, or both of the short side, so that equal ones give a circle"
      ),
      ParameterDescription(
        "rotation", .number(-180...180, default: 0), unit: "°", "positive turns clockwise"),
      ParameterDescription(
        "feather", .number(0...1, default: 0.5), unit: "fraction of the radius",
        "how far inside the edge the weight begins to fall"),
    ],
    formula: "w = s((1 − d) / feather), d = |(u / radius₁, v / radius₂)|, (u, v) = p − center as "
      + "displayed, in pixels, turned back by the rotation; feather 0 is a sharp edge at d = 1",
    source: "elementary")

  private static let luminanceRange = MaskDescription(
    "luminanceRange", summary: "Is 1 where the picture is as bright as wanted.",
    parameters: [
      ParameterDescription(
        "from", .number(0...1, default: 0), unit: "encoded", "the darkest; 0 has no end"),
      ParameterDescription(
        "to", .number(0...1, default: 1), unit: "encoded", "the brightest; 1 has no end"),
      ParameterDescription(
        "feather", .number(0...1, default: 0.1), unit: "encoded",
        "how far outside the range the weight reaches 0"),
    ],
    formula: "w = s((e − from) / feather + 1) · s((to − e) / feather + 1), e the luminance Y "
      + "of the pixel before the filter, encoded by the sRGB curve",
    source: "IEC 61966-2-1 (curve)")

  private static let colourRange = MaskDescription(
    "colourRange", summary: "Is 1 where the picture's colour is near to a given one.",
    parameters: [
      ParameterDescription(
        "colour", .numbers(3...3, 0...1, default: nil), unit: "encoded sRGB",
        "[red, green, blue]"),
      ParameterDescription(
        "tolerance", .number(0...2, default: 0.1), unit: "Oklab", "the distance that still counts 1"
      ),
      ParameterDescription(
        "feather", .number(0...2, default: 0.1), unit: "Oklab",
        "how much farther the weight reaches 0"),
    ],
    formula: "w = s((tolerance − d) / feather + 1), d the Euclidean distance in Oklab between the "
      + "pixel before the filter and the colour",
    source: "B. Ottosson, A perceptual color space for image processing, 2020; "
      + "ΔEOK of W3C CSS Color 4")

  private static let hueRange = MaskDescription(
    "hueRange", summary: "Is 1 where the picture's hue is near to a given one.",
    parameters: [
      ParameterDescription(
        "hue", .number(0...360, default: nil), unit: "°",
        "in Oklab: red 29, yellow 110, green 142, blue 264"),
      ParameterDescription(
        "tolerance", .number(0...180, default: 30), unit: "°", "the difference that still counts 1"),
      ParameterDescription(
        "feather", .number(0...180, default: 15), unit: "°",
        "how much farther the weight reaches 0"),
      ParameterDescription(
        "chroma", .number(0.001...0.4, default: 0.04), unit: "Oklab",
        "weaker colours count less, grey not at all"),
    ],
    formula: "w = s((c(tolerance + feather) − c(δ)) / (c(tolerance + feather) − c(tolerance))) "
      + "· s(C / chroma), c(δ) = 2 sin(min(δ, 180°) / 2), δ the angle between hues and C the "
      + "chroma in Oklab, of the pixel before the filter",
    source: "B. Ottosson, A perceptual color space for image processing, 2020")

  private static let bitmap = MaskDescription(
    "bitmap", summary: "Takes the weights from another picture, laid over the whole one.",
    parameters: [
      ParameterDescription("path", .file, "a picture; its encoded grey values count from 0 to 1"),
      ParameterDescription(
        "feather", .number(0...0.5, default: 0), unit: "fraction of the short side",
        "σ of a Gaussian blur, to 3σ"),
    ],
    formula: "w = (G ∗ b)(p), bilinear between the middles of the bitmap's pixels, its edges going "
      + "on outside; where σ is 8 pixels of the bitmap or more, averages of ⌊σ / 4⌋ are blurred",
    source: "elementary")

  private static let combine = MaskDescription(
    "combine", summary: "Puts masks together.",
    parameters: [
      ParameterDescription(
        "operation", .choice(["union", "intersect", "subtract"], default: "union"),
        "how the masks of the member `masks` are put together")
    ], hasParts: true,
    formula: "union w = max(w₁, w₂, …); intersect w = min(w₁, w₂, …); "
      + "subtract w = min(w₁, 1 − w₂, 1 − w₃, …)",
    source: "L. A. Zadeh, Fuzzy sets, 1965")
}
