import RenderModel

/// The tables of `docs/outputs.md`, made from the same catalogue as decoder and schema.
package enum OutputReference {
  /// From the heading of the types to the end of the page.
  package static let markdown = types + options

  private static let types: String = {
    var text =
      "## Types\n\n| Type | Extension | Longest side | Bits a sample | Options |\n|---|---|---|---|---|\n"
    for type in UniformType.writable {
      let options = OutputOption.all.filter { $0.name != .bitDepth && $0.use(by: type) != nil }
      let depths = OutputOption.named(.bitDepth)?.use(by: type)?.form.text ?? ""
      text +=
        "| `\(type.rawValue)` | \(type.preferredExtension ?? "") | \(grouped(type.longestSide ?? 0))"
      text += " | \(depths) | \(options.map { "`\($0.name.rawValue)`" }.joined(separator: " ")) |\n"
    }
    return text
  }()

  private static let options: String = {
    var text = "\n## Options\n"
    for option in OutputOption.all {
      text +=
        "\n### `\(option.name.rawValue)`\n\n\(option.meaning)\n\n| Of | Values | Left out |\n|---|---|---|\n"
      for use in option.uses {
        let types = use.types.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        text += "| \(types) | \(use.form.text) | \(use.standard?.text ?? "") |\n"
      }
    }
    return text
  }()

  private static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }
}
