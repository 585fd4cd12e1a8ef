package import RenderModel

/// A look as what it is made of: light, a mix of the channels and curves, in this order.
package struct LookRecipe: Hashable, Sendable {
  package enum Colour: Hashable, Sendable {
    /// Encoded: c′ = Y + amount · (c − Y).
    case saturation(Double)
    /// Encoded: all channels become this mix of red, green and blue.
    case grey(Double, Double, Double)
    /// All channels become the luminance, in linear light.
    case luminance
  }

  package var name: String
  package var summary: String
  /// A white balance for this light, as `temperatureTint` does it.
  package var temperature: Double?
  package var colour: Colour
  /// Encoded, as `toneCurve` does it: none, one for all channels, or red's, green's and blue's.
  package var curves: [[FilterStep.CurvePoint]]

  init(
    _ name: String, _ summary: String, temperature: Double? = nil, _ colour: Colour,
    _ curves: [(x: Double, y: Double)]...
  ) {
    self.name = name
    self.summary = summary
    self.temperature = temperature
    self.colour = colour
    self.curves = curves.map { points in
      points.map { FilterStep.CurvePoint(x: $0.x, y: $0.y) }
    }
  }

  package static let all = Dictionary(
    list.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  static let list = [
    LookRecipe("mono", "Black and white by luminance.", .luminance),
    LookRecipe(
      "tonal", "Soft black and white with open shadows.", .grey(0.2126, 0.7152, 0.0722),
      [(0, 0.06), (0.25, 0.29), (0.5, 0.53), (0.75, 0.76), (1, 0.97)]),
    LookRecipe(
      "noir", "Hard black and white with dark skies.", .grey(0.45, 0.45, 0.1),
      [(0, 0), (0.25, 0.12), (0.5, 0.48), (0.75, 0.86), (1, 1)]),
    LookRecipe(
      "fade", "Paled colours and lifted blacks, as a print left in the sun.", .saturation(0.7),
      [(0, 0.1), (0.25, 0.31), (0.5, 0.54), (0.75, 0.76), (1, 0.94)]),
    LookRecipe(
      "chrome", "Strong colours and contrast, as on slide film.", .saturation(1.25),
      [(0, 0), (0.25, 0.21), (0.5, 0.51), (0.75, 0.81), (1, 1)]),
    LookRecipe(
      "process", "Cool shadows and greenish lights, as of film in the wrong bath.",
      .saturation(0.95), [(0, 0), (0.25, 0.19), (0.5, 0.48), (0.75, 0.79), (1, 0.98)],
      [(0, 0.02), (0.25, 0.25), (0.5, 0.54), (0.75, 0.81), (1, 1)],
      [(0, 0.1), (0.25, 0.29), (0.5, 0.5), (0.75, 0.72), (1, 0.92)]),
    LookRecipe(
      "transfer", "Warm and faded, as a colour transfer print.", .saturation(0.85),
      [(0, 0.08), (0.25, 0.31), (0.5, 0.57), (0.75, 0.8), (1, 1)],
      [(0, 0.05), (0.25, 0.27), (0.5, 0.52), (0.75, 0.76), (1, 0.97)],
      [(0, 0.05), (0.25, 0.24), (0.5, 0.46), (0.75, 0.69), (1, 0.9)]),
    LookRecipe(
      "instant", "Bluish shadows and yellowed lights, as an instant print.", .saturation(0.8),
      [(0, 0.06), (0.25, 0.28), (0.5, 0.56), (0.75, 0.82), (1, 0.99)],
      [(0, 0.07), (0.25, 0.28), (0.5, 0.54), (0.75, 0.79), (1, 0.97)],
      [(0, 0.13), (0.25, 0.32), (0.5, 0.52), (0.75, 0.71), (1, 0.87)]),
    LookRecipe(
      "warm", "A warmer light and a little more colour.", temperature: 7800, .saturation(1.08)),
    LookRecipe(
      "cool", "A cooler light and a little less colour.", temperature: 5500, .saturation(0.95)),
  ]

  /// Whether a curve of it goes on beyond the unit square, which those of version 1 never did.
  package var hasOpenEnds: Bool {
    curves.contains { points in
      [points.first, points.last].contains { point in
        point.map { [0, 1].contains($0.x) && [0, 1].contains($0.y) } ?? false
      }
    }
  }

  /// The definition in words and numbers.
  var formula: String {
    var parts: [String] = []
    if let temperature {
      parts.append("temperatureTint of \(Wording.number(temperature)) K, tint 0")
    }
    switch colour {
    case .saturation(let amount):
      parts.append(
        "e′ = Y + \(Wording.number(amount)) · (e − Y), "
          + "Y = 0.2126 R + 0.7152 G + 0.0722 B, encoded")
    case .grey(let red, let green, let blue):
      let (red, green, blue) = (Wording.number(red), Wording.number(green), Wording.number(blue))
      parts.append("R′ = G′ = B′ = \(red) R + \(green) G + \(blue) B, encoded")
    case .luminance: parts.append("saturation of 0")
    }
    let names = curves.count == 1 ? ["all channels"] : ["red", "green", "blue"]
    for (name, points) in zip(names, curves) {
      let list = points.map { "[\(Wording.number($0.x)), \(Wording.number($0.y))]" }
      parts.append("toneCurve of \(name) through \(list.joined(separator: ", "))")
    }
    return parts.joined(separator: "; then ")
      + ". The result is mixed with the original in linear light: c′ = c + amount · (look(c) − c)"
  }
}
