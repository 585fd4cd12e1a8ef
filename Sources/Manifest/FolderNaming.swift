import RenderModel

/// Which assets of one folder would be given the same name by the standard template.
enum FolderNaming {
  /// Looks only at those items that will be assets.
  static func apply(
    to items: inout [FolderListing.Item], caseInsensitive: Bool,
    where isAsset: (FolderListing.Item) -> Bool
  ) {
    let chosen = items.indices.filter { isAsset(items[$0]) }
    let stems = Repeats(
      chosen.map { items[$0].path.stem }, caseInsensitive: caseInsensitive)
    guard stems.hasAny else { return }
    let names = chosen.map { items[$0].path.lastComponent }
    let same = Repeats(names, caseInsensitive: caseInsensitive)
    let exact = Repeats(names, caseInsensitive: false)
    for (position, index) in chosen.enumerated() {
      if same[position] {
        items[index].naming = .withDigest
      } else if stems[position] {
        items[index].naming = .withSourceExtension
      }
      items[index].needsExactID = exact[position]
    }
  }

  /// Which of some names would be one file with another of them.
  private struct Repeats {
    private let flags: [Bool]
    let hasAny: Bool

    init(_ names: [[UInt8]], caseInsensitive: Bool) {
      let keys = names.map {
        OutputName.collisionKey(RelativePath(bytes: $0), caseInsensitive: caseInsensitive)
      }
      let counts = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      hasAny = counts.count < keys.count
      flags = hasAny ? keys.map { counts[$0, default: 0] > 1 } : keys.map { _ in false }
    }

    subscript(position: Int) -> Bool { flags[position] }
  }
}
