extension FilterCatalogue {
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
