extension ValueForm where Value == Double {
  /// A share in percent, more than 0 and at most 100; the sign may be left out.
  static func share() -> Self {
    ValueForm(
      placeholder: "P%", expectation: "a share such as 5% or 0.5%",
      read: { word in
        let text = word.text.hasSuffix("%") ? word.text.dropLast() : word.text[...]
        guard let value = Double(text), value > 0, value <= 100 else { return nil }
        return value
      })
  }
}
