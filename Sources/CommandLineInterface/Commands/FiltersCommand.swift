import Adjustments
import RenderModel

/// `minilab filters`: the filter catalogue.
package enum FiltersCommand {
  package enum Format: String, Sendable, CaseIterable {
    case text, json, markdown
  }

  package static let format = Flag(
    "format", ValueForm<Format>.choice(),
    "Text for a person, JSON for a program, or the reference as Markdown", standard: "text")

  package static let command = Command(
    CommandDescription(
      name: "filters",
      summary: "Show the filters of adjustment records",
      discussion: [
        "Without a name, the list of all filters and masks; with one, everything about it: its "
          + "version, its parameters with units, ranges and defaults, what leaves a picture as it is, "
          + "the formula and where it was published."
      ],
      operand: CommandDescription.Operand(
        "NAME", .atMostOne, "The filter or mask to explain",
        completion: .words(CatalogueEntry.all.map(\.name))),
      flags: [format.description],
      examples: [
        .init("minilab filters", "The list of all filters."),
        .init("minilab filters toneCurve", "Everything about one."),
        .init("minilab filters --format json", "The whole catalogue for a program."),
      ],
      exitStatuses: [.success, .usage])
  ) { arguments, context throws(UsageProblem) in
    let entries = try entries(named: arguments.operands.first)
    let isWhole = arguments.operands.isEmpty
    let text =
      switch arguments[format] ?? .text {
      case .text where isWhole: CatalogueText(style: context.output.style).list()
      case .text: entries.map(CatalogueText(style: context.output.style).page).joined()
      case .json: CatalogueJSON.text(entries, isList: isWhole)
      case .markdown where isWhole: FilterReference.markdown
      case .markdown: entries.map(FilterReference.section).joined()
      }
    context.output.write(text)
    return .success
  }

  private static func entries(
    named word: Argument?
  ) throws(UsageProblem) -> [CatalogueEntry] {
    let all = CatalogueEntry.all
    guard let word else { return all }
    if let found = all.first(where: { $0.name == word.text }) { return [found] }
    let near = Spelling.nearest(to: word.text, among: all.map(\.name))
    throw .refused(
      "there is no filter or mask '\(word.displayed)'"
        + (near.map { "; did you mean '\($0)'?" } ?? "")
        + "; 'minilab filters' lists them")
  }
}
