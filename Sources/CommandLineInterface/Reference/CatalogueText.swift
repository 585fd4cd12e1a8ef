import Adjustments

/// The filter catalogue as text for a terminal, 80 columns wide.
struct CatalogueText {
  private static let width = 80
  let style: TextStyle

  /// Names and one sentence each, by what they do.
  func list() -> String {
    var text = ""
    for group in CatalogueEntry.groups {
      text += (text.isEmpty ? "" : "\n") + style.heading(group.title + ":") + "\n"
      text += WrappedText.table(
        group.entries.map { (term: $0.name, text: $0.summary) }, width: Self.width, column: 22)
    }
    return text + "\nSee 'minilab filters NAME' for one of them.\n"
  }

  /// Everything about one.
  func page(of entry: CatalogueEntry) -> String {
    var text = style.heading(entry.name) + ": " + entry.nature + "\n"
    text += WrappedText.paragraph(entry.summary, width: Self.width)
    if let version = entry.version { text += "Version \(version)\n" }
    text += "\n" + style.heading("Parameters:") + "\n"
    if entry.parameters.isEmpty { text += "  none\n" }
    for parameter in entry.parameters {
      text += "  \(parameter.name)  \(plain(parameter.wanted))"
      text += parameter.unit.isEmpty ? "" : ", in \(unit(parameter.unit))"
      text +=
        parameter.fallback.map { ", default \($0)\n" }
        ?? (parameter.isRequired ? ", must be given\n" : "\n")
      text += WrappedText.paragraph(plain(parameter.meaning), width: Self.width, indent: 6)
    }
    text += paragraph("Does nothing at", entry.identity)
    text += paragraph("Definition", entry.formula)
    for older in entry.older {
      text += paragraph("Version \(older.number)", "It \(older.difference)")
    }
    return text + paragraph("Source", entry.source)
  }

  /// A unit, or the parameter that names one.
  private func unit(_ text: String) -> String {
    text.contains("`") ? "the unit that \(plain(text)) names" : text
  }

  private func paragraph(_ title: String, _ body: String) -> String {
    if body.isEmpty { return "" }
    return "\n" + style.heading(title + ":") + "\n"
      + WrappedText.paragraph(plain(body), width: Self.width, indent: 2)
  }

  /// Without the marks that the page for the web has.
  private func plain(_ text: String) -> String { text.filter { $0 != "`" } }
}
