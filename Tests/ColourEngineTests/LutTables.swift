import ColourEngine
import RenderModel

/// Tables that tests write, and colours looked up in them.
enum LutTables {
  static func step(
    strength: Double = 1, colorSpace: String = "linearRec2020", opacity: Double = 1
  ) -> FilterStep {
    FilterStep(
      name: "lut3d", version: 1,
      parameters: [
        .init(name: "path", value: .file("a")), .init(name: "strength", value: .number(strength)),
        .init(name: "colorSpace", value: .text(colorSpace)),
      ], opacity: opacity)
  }

  static func table(_ text: String) throws -> ColourTable {
    try ColourTable(cubeText: Array(text.utf8))
  }

  static func pass(
    _ table: ColourTable, _ step: FilterStep, from source: PixelLayout = .working,
    to target: PixelLayout = .working
  ) -> PixelPass {
    PixelPass(
      from: source, placed: [PlacedStep(step)], to: target,
      resources: FilterResources(tables: ["a": table]))
  }

  /// Linear working RGB by turns in and out; the step's space decides what the table sees.
  static func look(
    _ colours: [Float], in table: ColourTable, _ step: FilterStep = step()
  ) -> [Float] {
    run(pass(table, step), colours, bands: 3, to: 3, as: Float.self)
  }

  /// A cube whose values come from a function of the points' values, 0…1 unless a domain is stated.
  static func cube(
    _ size: Int, header: String = "", lowest: Double = 0, highest: Double = 1,
    _ value: (Double, Double, Double) -> [Double]
  ) -> String {
    var text = "LUT_3D_SIZE \(size)\n" + header
    func position(_ index: Int) -> Double {
      lowest + (highest - lowest) * Double(index) / Double(size - 1)
    }
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size {
          let row = value(position(red), position(green), position(blue))
          text += row.map { "\($0)" }.joined(separator: " ") + "\n"
        }
      }
    }
    return text
  }

  static func worst(_ one: [Float], _ other: [Float]) -> Float {
    one.count == other.count ? zip(one, other).map { abs($0 - $1) }.max() ?? 0 : .infinity
  }
}
