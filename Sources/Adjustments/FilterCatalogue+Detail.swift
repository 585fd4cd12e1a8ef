extension FilterCatalogue {
  static let detail = [
    FilterDescription(
      "sharpen", version: 2, .neighbourhood,
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
        "L′ = L + amount · d where |d| ≥ threshold, else L; d = L − Gσ ∗ L, the Gaussian to "
        + "⌊3σ + ½⌋ pixels as for blur, edges carried on; L is luminance encoded by the sRGB curve; all "
        + "channels get the gain of its light; σ counts pixels of the full resolution",
      source: "Apple Core Image filter reference, CIUnsharpMask; darktable manual, sharpen"),
    FilterDescription(
      "noiseReduction", .neighbourhood,
      summary: "Smooths what varies less than edges do, brightness and colour each by itself.",
      parameters: [
        ParameterDescription("luminance", .number(0...1, default: nil), "strength on brightness"),
        ParameterDescription("colour", .number(0...1, default: nil), "strength on colour"),
        ParameterDescription(
          "radius", .whole(1...16, default: 3), unit: "pixels",
          "of the square windows, from the middle one"),
      ],
      identity: "luminance 0 and colour 0",
      formula:
        "s(x) = sgn x · (√(|x| + 1/1024) − 1/32) for each channel of linear Rec. 2020 RGB; "
        + "Y = 0.2627 R + 0.6780 G + 0.0593 B of these, U = B − Y, V = R − Y; each of the three "
        + "is guided by itself: a = σ²/(σ² + ε), b = (1 − a) μ with mean and variance of the "
        + "window of (2 radius + 1)² pixels, then v′ = ā v + b̄ with a and b averaged over the "
        + "same window; ε = (luminance/10)² for Y and (colour/5)² for U and V; edges carried on; "
        + "with alpha all averages are weighed by it",
      source: "K. He, J. Sun, X. Tang, Guided Image Filtering, 2010; F. J. Anscombe, The "
        + "Transformation of Poisson, Binomial and Negative-Binomial Data, 1948"),
    FilterDescription(
      "blur", version: 2, .neighbourhood, summary: "Blurs by a Gaussian in linear light.",
      parameters: [
        ParameterDescription(
          "radius", .number(0.1...250, default: nil), unit: "pixels", "σ of the Gaussian")
      ],
      identity: "none; a radius below 0.17 reaches no other pixel",
      formula: "x′ = Gσ ∗ x, in linear light, premultiplied; the Gaussian to ⌊3σ + ½⌋ pixels, "
        + "edges carried on; from σ = 6 on averages of blocks of max(2, ⌊σ/6⌋)² pixels are blurred, "
        + "within 1/255 of the same; σ counts pixels of the full resolution",
      source: "W3C Filter Effects, feGaussianBlur; Apple Core Image filter reference, "
        + "CIGaussianBlur"),
    FilterDescription(
      "grain", .point,
      summary: "Adds noise like that of film, strongest in mid-tones, the same for the same seed.",
      parameters: [
        ParameterDescription("amount", .number(0...1, default: nil), "strength"),
        ParameterDescription(
          "size", .number(0.1...10, default: 0.5), unit: "thousandths of the long side",
          "of a grain"),
        ParameterDescription(
          "roughness", .number(0...1, default: 0.5), "share of a second layer of half the size"),
        ParameterDescription("seed", .whole(0...4_294_967_295, default: 0), "which grain it is"),
      ],
      identity: "amount 0",
      formula: "x′ = x · max(0, 1 + 0.4 · amount · n · (1 − √Y))² with the luminance Y held to "
        + "0…1, in linear light, which adds 0.1 · amount · n · 4 e (1 − e) to e = √Y; "
        + "n = (k(0) n₀(p) + roughness · k(1) n₁(2p)) / √(1 + roughness²), p the place from the "
        + "top left of the picture as it is at the filter, stored frame, in cells of "
        + "size/1000 of its long side; nᵢ are random values on the lattice of whole numbers, "
        + "interpolated by t²(3 − 2t): −1…1 evenly, the bits of the 32-bit whole number "
        + "h(c · 9E3779B1₁₆ ⊕ r · 85EBCA77₁₆ ⊕ (seed + i · 9E3779B9₁₆) · C2B2AE3D₁₆) as a signed number over 2³¹, "
        + "column c, row r, h being lowbias32; k(i) = √(3/q)/√(1 + q · 4ⁱ A), q = (26/35)², A the "
        + "area of a pixel in cells",
      source: "our own definition, after the darktable manual, grain; K. Perlin, An Image "
        + "Synthesizer, 1985; C. Wellons, lowbias32, 2018"),
    FilterDescription(
      "vignette", .point,
      summary: "Darkens or brightens towards the corners of the picture as it is cropped.",
      parameters: [
        ParameterDescription(
          "amount", .number(-1...1, default: nil), "less than 0 darkens; −1 makes corners black"),
        ParameterDescription(
          "radius", .number(0...2, default: 0.75), unit: "half diagonals",
          "where half the change is reached"),
        ParameterDescription(
          "feather", .number(0...2, default: 0.5), unit: "half diagonals",
          "from the beginning of the change to its end"),
        ParameterDescription(
          "roundness", .number(0.1...1, default: 1), "1 gives circles, less squares them"),
      ],
      identity: "amount 0",
      formula: "x′ = x · (1 + amount · t²(3 − 2t)), in linear light, "
        + "t = clamp((r − radius + feather/2) / max(feather, 1/1000)), "
        + "r = (|u|^p + |v|^p)^(1/p), p = 2/roundness, u and v the distances from the picture's "
        + "middle in half diagonals",
      source: "darktable manual, vignetting; smoothstep as in the OpenGL Shading Language"),
  ]
}
