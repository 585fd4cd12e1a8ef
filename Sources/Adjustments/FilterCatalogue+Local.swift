extension FilterCatalogue {
  static let local = [
    FilterDescription(
      "highlightsShadows", .local,
      summary: "Brightens or darkens what is bright and what is dark, and keeps its detail.",
      parameters: [
        ParameterDescription(
          "highlights", .number(-1...1, default: 0), "negative darkens what is bright, by 1.5 stops"
        ),
        ParameterDescription(
          "shadows", .number(-1...1, default: 0), "positive brightens what is dark, by 2 stops"),
      ],
      identity: "highlights 0 and shadows 0",
      formula: "c′ = c · 2^(1.5 · highlights · S(B/4 + 1) + 2 · shadows · (1 − S((B + 8)/6))), "
        + smoothStep + "; B = a · l + b, " + stops
        + "; a and b: the guided filter of l by itself with r = 0.025 and ε = 0.25; " + guided
        + "; "
        + reduced,
      source: guidedSource + "; gains by the smoothed luminance as in darktable's tone equalizer"),
    FilterDescription(
      "localContrast", .local,
      summary: "Raises or lowers contrast within small surroundings, in the mid-tones (clarity).",
      parameters: [
        ParameterDescription(
          "amount", .number(-1...1, default: nil),
          "positive gives detail up to 1.75 of its contrast"
        ),
        ParameterDescription(
          "radius", .number(0.002...0.25, default: 0.03), unit: "of the short side",
          "half the side of the surroundings"),
      ],
      identity: "amount 0",
      formula: "c′ = c · 2^(0.75 · amount · w(B) · d³ · 1.5² / ((d² + 0.06²)(d² + 1.5²))), "
        + "d = l − B, w(B) = S((B + 9)/5) · (1 − S(B/2 + 1)), " + smoothStep + "; B = a · l + b, "
        + stops + "; a and b: the guided filter of l by itself with r = radius and ε = 0.25; "
        + guided + "; " + reduced,
      source: guidedSource
        + "; differences below 0.06 stops are held back as noise, those above 1.5 as edges"),
    FilterDescription(
      "dehaze", .local, summary: "Takes away the veil of haze, or thickens it.",
      parameters: [
        ParameterDescription(
          "amount", .number(-1...1, default: nil), "positive takes haze away, negative adds some")
      ],
      identity: "amount 0",
      formula: "amount > 0: c′ = A + (c − A) / (1 − 0.8 · amount · min(h, max(0, min of c/A))), "
        + "amount < 0: c′ = A + (c − A) · (1 + 0.5 · amount · (1/4 + 3/4 · h)); "
        + "h = a · g + b held to 0…1, g = √Y with Y, the luminance, held to 0…1; "
        + "a and b: the guided filter of H by g with r = 0.06 and ε = 0.001; "
        + "H(x) = the least of min(1, max(0, min of c/A)) in the square patch of "
        + "2 · round(0.0175 · short side) + 1 pixels about x; A: the mean of the pixels whose "
        + "least max(0, min of c) in the same patch is not below the n-th largest of all, n = a "
        + "thousandth of the pixels, rounded down, at least 1, no channel below 1/4; min of c is "
        + "that over the channels of linear Rec. 2020; pixels without alpha take no part; "
        + guided + "; " + reduced,
      source: "K. He, J. Sun, X. Tang, Single Image Haze Removal Using Dark Channel Prior, "
        + "CVPR 2009; " + guidedSource),
  ]

  private static let smoothStep = "S(x) = x² (3 − 2x) with x held to 0…1"
  private static let stops = "l = log₂(max(Y, 0) + 1/1024), Y luminance in linear light"
  private static let guided =
    "guided filter of p by g: a₀ = cov(g, p) / (var(g) + ε), b₀ = mean(p) − a₀ · mean(g), "
    + "a = mean(a₀), b = mean(b₀); means are over the square about the pixel's middle with half the "
    + "side r · short side (at least half a pixel), as far as the picture goes, pixels counted by "
    + "the part of them inside times their alpha"
  private static let reduced =
    "a and b are found in the picture as it is at this filter, averaged by area in linear light to "
    + "at most 1024 pixels on the long side, then interpolated bilinearly between pixels' middles. "
    + "After a crop that follows another local filter, after a turn and the like the reduced "
    + "picture is itself interpolated; filters of a pixel's surroundings other than blur are left "
    + "out of it"
  private static let guidedSource =
    "K. He, J. Sun, X. Tang, Guided Image Filtering, IEEE TPAMI 35(6), 2013; K. He, J. Sun, "
    + "Fast Guided Filter, arXiv 1505.00996, 2015"
}
