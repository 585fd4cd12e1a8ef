/// The versions of the libraries that made a render, as one text that can be compared.
package enum EngineVersions {
  /// Names and versions in the order of the names; nil when none is known.
  ///
  /// Minilab's own version is left out: what its filters do has versions of its own.
  package static func text(of engine: [String: String]) -> String? {
    let libraries = engine.filter { $0.key != "minilab" }.sorted { $0.key < $1.key }
    if libraries.isEmpty { return nil }
    return libraries.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
