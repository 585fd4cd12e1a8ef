/// A filter or a mask as people and programs read of it: pages, tables and the `filters` command.
package struct CatalogueEntry: Sendable {
  package struct Parameter: Sendable {
    package var name: String
    /// `number`, `integer`, `choice`, `flag`, `points`, `numbers`, `file` or `masks`.
    package var type: String
    /// What may be given, in words.
    package var wanted: String
    /// What counts when nothing is given, as JSON; nil when it must be given or may be absent.
    package var fallback: String?
    package var isRequired: Bool
    package var unit: String
    package var meaning: String
    /// The least and the greatest number; nil where there are none.
    package var range: ClosedRange<Double>?
    /// What a choice offers; empty for all others.
    package var choices: [String]
  }

  package var name: String
  /// nil for a mask.
  package var version: Int?
  package var versions: [Int]
  /// What is rendered otherwise when a record names an older version, newest first.
  package var older: [OlderVersion]
  /// `point`, `local`, `neighbourhood`, `geometry` or `mask`.
  package var kind: String
  /// The kind in a sentence's words.
  package var nature: String
  package var summary: String
  package var parameters: [Parameter]
  /// Empty for a mask.
  package var identity: String
  package var formula: String
  package var source: String

  package struct Group: Sendable {
    package var title: String
    package var entries: [CatalogueEntry]
  }

  /// The whole catalogue by what its entries are for.
  package static let groups = [
    Group(title: "Tone", entries: (FilterCatalogue.tone + FilterCatalogue.local).map(Self.init)),
    Group(
      title: "Colour", entries: (FilterCatalogue.colour + FilterCatalogue.tables).map(Self.init)),
    Group(title: "Looks", entries: FilterCatalogue.looks.map(Self.init)),
    Group(title: "Detail", entries: FilterCatalogue.detail.map(Self.init)),
    Group(title: "Geometry", entries: FilterCatalogue.geometry.map(Self.init)),
    Group(title: "Masks", entries: MaskCatalogue.masks.map(Self.init)),
  ]

  package static let all = groups.flatMap(\.entries)

  package init(_ filter: FilterDescription) {
    name = filter.name
    version = filter.version
    versions = filter.versions.sorted()
    older = filter.older.sorted { $0.number > $1.number }
    kind = filter.kind.rawValue
    nature = Self.nature(of: filter.kind)
    summary = filter.summary
    parameters = filter.parameters.map(Parameter.init)
    if filter.isBlended { parameters.append(Parameter(FilterDescription.opacity)) }
    identity = filter.identity
    formula = filter.formula
    source = filter.source
  }

  package init(_ mask: MaskDescription) {
    name = mask.name
    versions = []
    older = []
    kind = "mask"
    nature = "a mask: where a filter acts"
    summary = mask.summary
    parameters = mask.parameters.map(Parameter.init)
    if mask.hasParts { parameters.append(.parts) }
    parameters.append(Parameter(MaskCatalogue.invert))
    identity = ""
    formula = mask.formula
    source = mask.source
  }

  private static func nature(of kind: FilterKind) -> String {
    switch kind {
    case .point: "a point filter: each pixel by itself"
    case .local: "a local filter: each pixel by itself and what lies around it, averaged down"
    case .neighbourhood: "a neighbourhood filter: a pixel and those around it"
    case .geometry: "a geometry filter: it moves or cuts"
    }
  }
}

extension CatalogueEntry.Parameter {
  /// The masks that a combination is made of.
  fileprivate static let parts = CatalogueEntry.Parameter(
    name: "masks", type: "masks", wanted: "array of masks", isRequired: true, unit: "",
    meaning: "what is put together, in this order", choices: [])

  init(_ parameter: ParameterDescription) {
    name = parameter.name
    wanted = parameter.values
    unit = parameter.unit
    meaning = parameter.meaning
    isRequired = parameter.defaultValue == nil && !parameter.isOptional
    fallback = parameter.defaultText
    range = nil
    choices = []
    switch parameter.domain {
    case .number(let numbers, _):
      type = "number"
      range = numbers
    case .whole(let numbers, _):
      type = "integer"
      range = Double(numbers.lowerBound)...Double(numbers.upperBound)
    case .choice(let names, _):
      type = "choice"
      choices = names
    case .flag: type = "flag"
    case .points: type = "points"
    case .numbers(_, let numbers, _):
      type = "numbers"
      range = numbers
    case .file: type = "file"
    }
  }
}
