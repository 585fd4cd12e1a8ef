extension FilterCatalogue {
  static let toning = [
    FilterDescription(
      "colourGrade", .point,
      summary: "Grades by slope, offset, power and saturation and by three colour wheels.",
      parameters: [
        ParameterDescription(
          "slope", .numbers(3...3, 0...4, default: [1, 1, 1]), "factors of red, green and blue"),
        ParameterDescription(
          "offset", .numbers(3...3, -1...1, default: [0, 0, 0]),
          "what is added to red, green and blue"),
        ParameterDescription(
          "power", .numbers(3...3, 0.25...4, default: [1, 1, 1]),
          "exponents of red, green and blue"),
        ParameterDescription(
          "saturation", .number(0...4, default: 1), "0 is grey, 1 leaves all as it is"),
      ] + wheel("shadow") + wheel("midtone") + wheel("highlight"),
      identity: "slope and power [1, 1, 1], offset [0, 0, 0], saturation 1, "
        + "all amounts and luminances 0",
      formula: "encoded, in this order: x = e · slope + offset, y = x^power where x > 0, else x; "
        + "Y = 0.2126 R + 0.7152 G + 0.0722 B of y, z = Y + saturation · (y − Y); "
        + "t = Y of z held in 0…1, e′ = z + (1 − t)² · shadow + 2·t·(1 − t) · midtone "
        + "+ t² · highlight, where each wheel is ¼ · (amount · (p − Y of p) + luminance) "
        + "and p is the encoded colour HSL(hue, 100 %, 50 %)",
      source: "ASC CDL 1.2, without its clamps (as OpenColorIO's noClamp style); "
        + "the wheels are a definition of Minilab's own"),
    FilterDescription(
      "splitTone", .point, summary: "Tones shadows and highlights with two hues.",
      parameters: [
        hue("shadowHue", "of the dark tones"),
        ParameterDescription(
          "shadowSaturation", .number(0...1, default: 0), "strength in the dark tones"),
        hue("highlightHue", "of the light tones"),
        ParameterDescription(
          "highlightSaturation", .number(0...1, default: 0), "strength in the light tones"),
        ParameterDescription(
          "balance", .number(-1...1, default: 0),
          "above 0 gives more tones to the highlights' hue, below 0 to the shadows'"),
      ],
      identity: "both saturations 0",
      formula: "encoded, e′ = e + t · (1 − t) · ((1 − w) · shadow + w · highlight), "
        + "w = t / (t + (1 − t) · 4^(−balance)), t = 0.2126 R + 0.7152 G + 0.0722 B held in 0…1; "
        + "shadow and highlight are saturation · (p − Y of p), "
        + "p the encoded colour HSL(hue, 100 %, 50 %): black, white and luma stay",
      source: "a definition of Minilab's own"),
    FilterDescription(
      "tint", .point, summary: "Tones the picture with one colour.",
      parameters: [
        ParameterDescription(
          "colour", .numbers(3...3, 0...1, default: [0.6, 0.45, 0.3]),
          "encoded sRGB that a luma of ½ becomes"),
        ParameterDescription("amount", .number(0...1, default: 1), "strength"),
      ],
      identity: "amount 0",
      formula: "encoded, e′ = e + amount · (tone − e), Y = 0.2126 R + 0.7152 G + 0.0722 B, "
        + "tone = 2 · Y · colour where Y < ½, else 1 − 2 · (1 − Y) · (1 − colour)",
      source: "GPUImage, monochrome filter; parameters of Apple's CIColorMonochrome"),
  ]

  static let channels = [
    FilterDescription(
      "posterize", .point, summary: "Leaves few values in each channel.",
      parameters: [
        ParameterDescription(
          "levels", .whole(2...256, default: nil), "values from 0 to 1, both counted")
      ],
      identity: "none",
      formula: "e′ = round(e · (levels − 1)) / (levels − 1), encoded; "
        + "values outside 0…1 are rounded to steps of the same size",
      source: "GIMP manual, Posterize"),
    FilterDescription(
      "invert", .point, summary: "Makes a negative.",
      parameters: [ParameterDescription("amount", .number(0...1, default: 1), "½ is even grey")],
      identity: "amount 0", formula: "e′ = e · (1 − 2 · amount) + amount, encoded",
      source: "W3C Filter Effects, invert()"),
    FilterDescription(
      "clamp", .point, summary: "Holds each channel between two values.",
      parameters: [
        ParameterDescription("min", .number(-1...2, default: 0), "the least encoded value"),
        ParameterDescription(
          "max", .number(-1...2, default: 1), "the greatest; it wins over a higher min"),
      ],
      identity: "none; values from min to max stay",
      formula: "e′ = min(max(e, min), max), encoded",
      source: "Apple Core Image filter reference, CIColorClamp"),
  ]

  private static func hue(_ name: String, _ meaning: String) -> ParameterDescription {
    ParameterDescription(
      name, .number(0...360, default: 0), unit: "°", "hue " + meaning + ", 0 is red")
  }

  private static func wheel(_ range: String) -> [ParameterDescription] {
    [
      hue(range + "Hue", "of the \(range)s' wheel"),
      ParameterDescription(
        range + "Amount", .number(0...1, default: 0), "distance from the wheel's centre"),
      ParameterDescription(
        range + "Luminance", .number(-1...1, default: 0), "lightens or darkens the \(range)s"),
    ]
  }
}
