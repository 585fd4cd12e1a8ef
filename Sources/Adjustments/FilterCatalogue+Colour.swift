extension FilterCatalogue {
  static let colour = basicColour + bandColour + mixing + toning + channels

  private static let basicColour = [
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
}
