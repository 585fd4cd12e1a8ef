import RenderModel

/// The catalogue as a page for people: the part of `docs/filters.md` that a test holds to the code.
package enum FilterReference {
  package static var markdown: String {
    FilterCatalogue.filters.map(section).joined(separator: "\n")
  }

  private static func section(_ filter: FilterDescription) -> String {
    var text = "### \(filter.name)\n\n\(filter.summary)\n"
    text += "Version \(filter.version), \(kind(filter.kind)).\n\n"
    text += "| Parameter | Values | Default | Meaning |\n|---|---|---|---|\n"
    for parameter in filter.parameters {
      let unit = parameter.unit.isEmpty ? "" : " (\(parameter.unit))"
      text += "| `\(parameter.name)` | \(parameter.values)\(unit) | \(parameter.defaultText) "
      text += "| \(parameter.meaning) |\n"
    }
    text += "\n- Does nothing at: \(filter.identity).\n- Definition: \(filter.formula).\n"
    return text + "- Source: \(filter.source).\n"
  }

  private static func kind(_ kind: FilterKind) -> String {
    switch kind {
    case .point: "a point filter: each pixel by itself"
    case .local: "a local filter: each pixel by itself and what lies around it, averaged down"
    case .neighbourhood: "a neighbourhood filter: a pixel and those around it"
    case .geometry: "a geometry filter: it moves or cuts"
    }
  }
}

extension ParameterDescription {
  var values: String {
    switch domain {
    case .number(let range, _):
      "\(Wording.number(range.lowerBound)) … \(Wording.number(range.upperBound))"
    case .whole(let range, _): "\(range.lowerBound) … \(range.upperBound), whole"
    case .choice(let names, _): names.map { "`\($0)`" }.joined(separator: ", ")
    case .flag: "`true`, `false`"
    case .numbers(let counts, let range, _):
      "array of \(Wording.count(counts)) numbers in "
        + "\(Wording.number(range.lowerBound)) … \(Wording.number(range.upperBound))"
    case .file: "path of a file"
    case .points(let counts, _): "\(counts.lowerBound) to \(counts.upperBound) points in 0 … 1"
    }
  }

  var defaultText: String {
    if case .flag(let value) = domain { return "`\(value)`" }
    return switch defaultValue {
    case .number(let value): Wording.number(value)
    case .text(let text): "`\(text)`"
    case .numbers(let values): "`[" + values.map(Wording.number).joined(separator: ", ") + "]`"
    case .points, .file, nil: isOptional ? "none" : "must be given"
    }
  }
}
