import RenderModel

/// Reasons that a run is narrowed to, as people write them: `new,filterChanged:exposure`.
package struct ReasonSelection: Hashable, Sendable {
  private struct Item: Hashable {
    var kind: RenderReason.Kind
    /// The filter or the file that is meant; nil for any.
    var subject: String?
  }

  private var items: [Item] = []

  /// What is wrong with a list of reasons, in words for a person.
  package struct Fault: Error, Equatable {
    package var message: String
  }

  /// Reads names that commas separate; `filterChanged` and `lookChanged` may say which after a colon.
  ///
  /// The path of a look may have commas and colons of its own when it is the last item.
  package init(parsing text: String) throws(Fault) {
    var rest = text[...]
    while true {
      let end = rest.firstIndex(of: ",") ?? rest.endIndex
      var word = rest[..<end]
      var next = end
      if word.hasPrefix("\(RenderReason.Kind.lookChanged.rawValue):"),
        !Self.beginsItem(rest[end...])
      {
        (word, next) = (rest, rest.endIndex)
      }
      items.append(try Self.item(word))
      if next == rest.endIndex { return }
      rest = rest[rest.index(after: next)...]
    }
  }

  package func contains(_ reason: RenderReason) -> Bool {
    items.contains { item in
      guard item.kind == reason.kind else { return false }
      guard let subject = item.subject else { return true }
      return switch reason {
      case .filterChanged(let name, _, _): name == subject
      case .lookChanged(let file): file.utf8.elementsEqual(subject.utf8)
      default: false
      }
    }
  }

  /// Whether nothing but these kinds is in it.
  package func consists(of kinds: Set<RenderReason.Kind>) -> Bool {
    items.allSatisfy { kinds.contains($0.kind) }
  }

  package func mentions(_ kind: RenderReason.Kind) -> Bool { items.contains { $0.kind == kind } }

  /// Whether a comma is followed by what begins another item.
  private static func beginsItem(_ rest: Substring) -> Bool {
    let word = rest.dropFirst().prefix { $0 != "," && $0 != ":" }
    return RenderReason.Kind(rawValue: String(word)) != nil
  }

  private static func item(_ word: Substring) throws(Fault) -> Item {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let kind = RenderReason.Kind(rawValue: name) else {
      let names = RenderReason.Kind.allCases.map(\.rawValue)
      let hint = Spelling.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      throw Fault(
        message: "there is no reason '\(DisplayText.escaped(name))'; "
          + (hint ?? "there are \(names.joined(separator: ", "))"))
    }
    guard parts.count == 2 else { return Item(kind: kind) }
    guard kind == .filterChanged || kind == .lookChanged, !parts[1].isEmpty else {
      throw Fault(
        message: "'\(DisplayText.escaped(String(word)))' is no reason: only filterChanged:NAME and "
          + "lookChanged:PATH say more than their name")
    }
    return Item(kind: kind, subject: String(parts[1]))
  }
}

extension ReasonSelection: CustomStringConvertible {
  /// As it could be written.
  package var description: String {
    items.map { $0.kind.rawValue + ($0.subject.map { ":\($0)" } ?? "") }.joined(separator: ",")
  }
}
