import Testing

@Suite("What the pages say")
struct DocumentationTests {
  /// Raw values of the cases of an enumeration in a source file.
  private static func cases(of enumeration: String, in path: String) throws -> [String] {
    let text = try Repository.text(path)
    let parts = text.split(separator: "enum \(enumeration)", maxSplits: 1)
    let body = try #require(parts.last).prefix { $0 != "}" }
    return body.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.first == "case", words.count > 3, words[2] == "=" else { return nil }
      return String(words[3])
    }
  }

  /// Names of the commands, from their descriptions.
  private static func commands() throws -> [String] {
    let folder = "Sources/CommandLineInterface/Commands"
    return try Repository.files(beneath: folder, withExtension: "swift").compactMap { path in
      let lines = try Repository.text(path).split(separator: "\n")
      guard let start = lines.firstIndex(where: { $0.contains("CommandDescription(") }),
        let line = lines[start...].first(where: { $0.contains("name: \"") })
      else { return nil }
      return line.split(separator: "\"").dropFirst().first.map(String.init)
    }
  }

  @Test("README and reference name every exit status", arguments: ["README.md", "docs/cli.md"])
  func exitStatuses(page: String) throws {
    let statuses = try Self.cases(of: "ExitStatus", in: "Sources/RenderModel/Outcome.swift")
    #expect(statuses.count >= 10)
    let text = try Repository.text(page)
    #expect(statuses.filter { !text.contains("| `\($0)` |") } == [])
  }

  @Test("the page of reports has a row for every loss, with its sentence")
  func losses() throws {
    let source = try Repository.text("Sources/RenderModel/Loss.swift")
    let page = try Repository.text("docs/reports.md")
    let rows = source.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: "\"")
      guard parts.count >= 2, parts[0].hasSuffix(": ") else { return nil }
      let name = parts[0].split { " .:".contains($0) }.last ?? ""
      return "| `\(name)` | \(parts[1]) |"
    }
    #expect(rows.count >= 19)
    #expect(rows.filter { !page.contains($0) } == [])
  }

  @Test("README and reference name every command", arguments: ["README.md", "docs/cli.md"])
  func commandNames(page: String) throws {
    let commands = try Self.commands()
    #expect(commands.count >= 5)
    let text = try Repository.text(page)
    #expect(commands.filter { !text.contains("`minilab \($0)") } == [])
  }

  @Test("the page of the architecture names every target and what it may import")
  func targets() throws {
    let rows = try Repository.text("docs/architecture.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|") }
    for (target, imports) in Walls.mayImport {
      let row = try #require(rows.first { $0[0] == " `\(target)` " }, "\(target) has no row")
      // Names stand between backquotes: every second part.
      let parts = row[row.count - 1].split(separator: "`", omittingEmptySubsequences: false)
      let named = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      #expect(Set(named) == imports, "\(target)")
    }
    #expect(rows.count == Walls.mayImport.count)
  }

  @Test("pages name no path of one machine")
  func paths() throws {
    let pages =
      ["README.md", "CHANGELOG.md"] + (try Repository.files(beneath: "docs", withExtension: "md"))
    for page in pages {
      let found = SourceText.violations(in: try Repository.text(page), name: page)
        .filter { $0.contains("outside the project") || $0.contains("one machine") }
      #expect(found == [])
    }
  }
}
