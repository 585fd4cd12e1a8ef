import RenderModel

/// The filters as a page for people: the part of `docs/filters.md` that a test holds to the code.
package enum FilterReference {
  package static var markdown: String {
    CatalogueEntry.groups.map { group in
      "## \(group.title)\n\n" + group.entries.map(section).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  package static func section(_ entry: CatalogueEntry) -> String {
    var text = "### \(entry.name)\n\n"
    if entry.kind != "mask" { text += "![\(entry.name)](filters/\(entry.name).jpg)\n\n" }
    text += "\(entry.summary)\n"
    text += entry.version.map { "Version \($0), \(entry.nature).\n" } ?? ""
    text += "\n"
    if !entry.parameters.isEmpty {
      text += "| Parameter | Values | Default | Meaning |\n|---|---|---|---|\n"
    }
    for parameter in entry.parameters { text += row(parameter) }
    if let example = FilterExamples.record(of: entry) { text += "\n```json\n\(example)\n```\n" }
    text += "\n"
    if !entry.identity.isEmpty { text += "- Does nothing at: \(entry.identity).\n" }
    text += "- Definition: \(entry.formula).\n"
    for older in entry.older {
      text += "- Version \(older.number) can still be asked for: it \(older.difference)\n"
    }
    return text + "- Source: \(entry.source).\n"
  }

  /// One line of a table of parameters.
  static func row(_ parameter: CatalogueEntry.Parameter) -> String {
    let unit = parameter.unit.isEmpty ? "" : " (\(parameter.unit))"
    let fallback = parameter.fallback.map {
      $0.contains { $0.isLetter || $0 == "[" } ? "`\($0.filter { $0 != "\"" })`" : $0
    }
    return "| `\(parameter.name)` | \(parameter.wanted)\(unit) "
      + "| \(fallback ?? (parameter.isRequired ? "must be given" : "none")) "
      + "| \(parameter.meaning) |\n"
  }
}

extension ParameterDescription {
  var values: String {
    switch domain {
    case .number(let range, _):
      "\(Wording.number(range.lowerBound)) … \(Wording.number(range.upperBound))"
    case .whole(let range, _): "\(range.lowerBound) … \(range.upperBound), whole"
    case .choice(let names, _):
      names.map { "`\($0)`" }.joined(separator: ", ")
    case .flag: "`true`, `false`"
    case .numbers(let counts, let range, _):
      "array of \(Wording.count(counts)) numbers in "
        + "\(Wording.number(range.lowerBound)) … \(Wording.number(range.upperBound))"
    case .file: "path of a file"
    case .points(let counts, _):
      "\(counts.lowerBound) to \(counts.upperBound) points in 0 … 1"
    }
  }

  /// The default as JSON; nil when there is none.
  var defaultText: String? {
    if case .flag(let value) = domain { return "\(value)" }
    return switch defaultValue {
    case .number(let value): Wording.number(value)
    case .text(let text): "\"\(text)\""
    case .numbers(let values): "[" + values.map(Wording.number).joined(separator: ", ") + "]"
    case .points, .file, nil: nil
    }
  }
}
