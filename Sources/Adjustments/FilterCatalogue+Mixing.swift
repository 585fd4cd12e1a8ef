extension FilterCatalogue {
  static let bandColour = [
    FilterDescription(
      "vibrance", .point,
      summary: "Strengthens pale colours more than strong ones, or pales them more.",
      parameters: [
        ParameterDescription(
          "amount", .number(-1...1, default: nil), "below 0 pales, above 0 strengthens")
      ],
      identity: "amount 0",
      formula: "C′ = C · (1 + amount · (1 − min(1, C / 0.4)^|amount|)) in Oklab, lightness and hue "
        + "kept; Oklab by the matrices for linear sRGB of 2021-01-25, with signed cube roots",
      source: "darktable manual, color balance rgb (vibrance); B. Ottosson, A perceptual color "
        + "space for image processing, 2020; 0.4 is 100 % chroma of oklch() in CSS Color 4"),
    FilterDescription(
      "hue", .point, summary: "Turns all hues by the same angle.",
      parameters: [
        ParameterDescription(
          "degrees", .number(-360...360, default: nil), unit: "°",
          "positive turns red towards yellow")
      ],
      identity: "degrees 0",
      formula: "c′ = M(cos θ, sin θ) · c, in linear light on sRGB primaries; "
        + "M is the matrix of hue-rotate, with the weights 0.213, 0.715, 0.072",
      source: "W3C Filter Effects, feColorMatrix hueRotate, in linear light"),
    FilterDescription(
      "hsl", .point, summary: "Shifts hue, saturation and luminance of eight bands of hue.",
      parameters: [
        "red", "orange", "yellow", "green", "aqua", "blue", "purple", "magenta",
      ].map { band in
        ParameterDescription(
          band, .numbers(3...3, -1...1, default: [0, 0, 0]),
          "shifts [hue, saturation, luminance] of \(band) tones")
      },
      identity: "all shifts 0",
      formula: "in Oklab, (L, a, b)′ = (1 − k) · (L, a, b) + k · shifted, "
        + "k = q · (2 − q), q = min(1, (C / 0.1)²); shifted has g · L, g · s · C and "
        + "h + 30° · Σ wᵢ·hueᵢ, s = 1 + Σ wᵢ·saturationᵢ, g = 1 + ½ · Σ wᵢ·luminanceᵢ. The bands are centred on the Oklab hues of the "
        + "sRGB colours HSL(0, 30, 60, 120, 180, 240, 270, 300 degrees, 100 %, 50 %); from one "
        + "centre to the next its weight falls as ½ + ½ · cos(π · t), t = 0…1 linear in Oklab hue, "
        + "and the next one's rises to match",
      source: "a definition of Minilab's own; B. Ottosson, A perceptual color space for image "
        + "processing, 2020; HSL of CSS Color 4"),
  ]

  static let mixing = [
    FilterDescription(
      "channelMixer", .point, summary: "Makes each channel from all three.",
      parameters: rows(-2...2)
        + [
          ParameterDescription(
            "constant", .numbers(3...3, -1...1, default: [0, 0, 0]),
            "what is added to red, green and blue")
        ],
      identity: "red [1, 0, 0], green [0, 1, 0], blue [0, 0, 1] and constant [0, 0, 0]",
      formula: "R′ = red · (R, G, B) + constant₁, likewise G′ and B′, "
        + "in linear light on sRGB primaries",
      source: "darktable manual, color calibration (channel mixer)"),
    FilterDescription(
      "colourMatrix", .point, summary: "Multiplies colours with a matrix and adds a bias.",
      parameters: rows(-16...16)
        + [
          ParameterDescription(
            "bias", .numbers(3...3, -16...16, default: [0, 0, 0]),
            "what is added to red, green and blue"),
          ParameterDescription(
            "encoding", .choice(["linear", "encoded"], default: "linear"),
            "whether the values are light or encoded by the sRGB curve"),
        ],
      identity: "red [1, 0, 0], green [0, 1, 0], blue [0, 0, 1] and bias [0, 0, 0]",
      formula: "R′ = red · (R, G, B) + bias₁, likewise G′ and B′, on sRGB primaries, "
        + "in linear light or encoded",
      source: "W3C Filter Effects, feColorMatrix; "
        + "Apple Core Image filter reference, CIColorMatrix"),
    FilterDescription(
      "monochrome", .point, summary: "Makes black and white by a mix of the channels.",
      parameters: [
        ParameterDescription("red", .number(-2...3, default: 0.2126), "red's weight"),
        ParameterDescription("green", .number(-2...3, default: 0.7152), "green's weight"),
        ParameterDescription("blue", .number(-2...3, default: 0.0722), "blue's weight"),
        ParameterDescription(
          "normalised", .flag(default: true),
          "whether the weights are divided by their sum, so that white stays"),
      ],
      identity: "none",
      formula: "R′ = G′ = B′ = red · R + green · G + blue · B, in linear light on sRGB primaries; "
        + "weights that add up to between −0.01 and 0.01 are not divided",
      source: "darktable manual, color calibration (gray); default weights of ITU-R BT.709"),
    FilterDescription(
      "sepia", .point, summary: "Tones the picture brown.",
      parameters: [ParameterDescription("amount", .number(0...1, default: 1), "strength")],
      identity: "amount 0",
      formula: "e′ = amount · S · e + (1 − amount) · e, encoded; "
        + "S = [0.393 0.769 0.189; 0.349 0.686 0.168; 0.272 0.534 0.131]",
      source: "W3C Filter Effects, sepia()"),
  ]

  private static func rows(_ range: ClosedRange<Double>) -> [ParameterDescription] {
    [("red", [1.0, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1])].map { name, row in
      ParameterDescription(
        name, .numbers(3...3, range, default: row),
        "weights of red, green and blue in the new \(name)")
    }
  }
}
