/// The versions of the libraries that made a render, as one text that can be compared.
package enum EngineVersions {
  /// Names and versions in the order of the names; nil when none is known.
  ///
  /// Minilab's own version is left out: what its filters do has versions of its own.
  package static func text(of engine: [String: String]) -> String? {
    let text = whole(of: engine.filter { $0.key != "minilab" })
    return text.isEmpty ? nil : text
  }

  /// As `text`, with Minilab's own version: what broke a photo may be a fault of ours.
  package static func whole(of engine: [String: String]) -> String {
    engine.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
