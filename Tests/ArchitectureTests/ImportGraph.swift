/// Which target imports which, read from the sources.
struct ImportGraph {
  /// Direct imports by target, names of the toolchain's modules included.
  var direct: [String: Set<String>]

  /// Everything that a target reaches, following the imports of its imports.
  func reachable(from target: String) -> Set<String> {
    var reached: Set<String> = []
    var open = [target]
    while let next = open.popLast() {
      for name in direct[next] ?? [] where reached.insert(name).inserted { open.append(name) }
    }
    return reached
  }

  /// Every rule that the graph breaks, in words.
  func violations() -> [String] {
    var result: [String] = []
    for (target, imports) in direct.sorted(by: { $0.key < $1.key }) {
      guard let allowed = Walls.mayImport[target] else {
        result.append("\(target) is not in the table of walls")
        continue
      }
      var toolchain = Walls.pure.contains(target) ? [] : Walls.toolchain
      if Walls.inWorker.contains(target) { toolchain.remove("FoundationEssentials") }
      for name in imports.sorted() where !allowed.contains(name) && !toolchain.contains(name) {
        result.append("\(target) may not import \(name)")
      }
      let reached = reachable(from: target)
      if !Walls.nearImaging.contains(target) {
        result += reached.intersection(Walls.imaging).sorted().map { "\(target) reaches \($0)" }
      }
      if !Walls.aboveDatabases.contains(target) {
        result += reached.intersection(Walls.databases).sorted().map { "\(target) reaches \($0)" }
      }
      if imports.contains("CSystem"), !Walls.aboveKernel.contains(target) {
        result.append("\(target) goes past SystemSupport")
      }
      if reached.contains(target) { result.append("\(target) imports itself in a circle") }
    }
    return result
  }
}

/// The imports of one source file.
enum ImportLines {
  /// Names of the modules that a Swift file imports; comments and strings are not imports.
  static func modules(inSwift text: String) -> Set<String> {
    var result: Set<String> = []
    var isInText = false
    for line in SourceText.withoutBlockComments(text).split(separator: "\n") {
      let quotes = line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count - 1
      defer { if quotes % 2 == 1 { isInText.toggle() } }
      if isInText { continue }
      var words = line.split(whereSeparator: { " \t;".contains($0) })
      while let word = words.first, word.hasPrefix("@") || modifiers.contains(word) {
        words.removeFirst()
      }
      guard words.first == "import", words.count > 1 else { continue }
      let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
      if let module = name.split(separator: ".").first { result.insert(String(module)) }
    }
    return result
  }

  /// Names of the package's own modules whose headers a C file includes.
  static func modules(inC text: String, known: [String: String]) -> Set<String> {
    let lines = text.split(separator: "\n").map { $0.filter { !" \t".contains($0) } }
    return Set(
      lines.compactMap { line in
        guard line.hasPrefix("#include") else { return nil }
        let name = line.dropFirst("#include".count).filter { !"<>\"".contains($0) }
        return known.first { name == $0.key || name.hasPrefix($0.key) }?.value
      })
  }

  private static let modifiers: Set<Substring> = [
    "package", "internal", "private", "fileprivate", "public", "open",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
  ]
}
