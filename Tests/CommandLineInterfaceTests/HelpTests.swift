import Glibc
import RenderModel
import Testing

@testable import CommandLineInterface

/// The text of a file of the repository; nil when it cannot be read.
private func repositoryFile(_ path: String) -> String? {
  let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  guard let file = unsafe fopen("/\(root)/\(path)", "r") else { return nil }
  defer { _ = unsafe fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = unsafe getc(file), byte != EOF {
    bytes.append(UInt8(truncatingIfNeeded: byte))
  }
  return String(decoding: bytes, as: UTF8.self)
}

@Suite("Help and reference")
struct HelpTests {
  static let names = CommandTable.descriptions.map(\.name)

  @Test("'help X' and 'X --help' are the same page", arguments: names)
  func samePage(name: String) {
    let long = ProgramHarness()
    let short = ProgramHarness()
    #expect(long.run(["help", Argument(name)]) == .success)
    #expect(short.run([Argument(name), "--help"]) == .success)
    #expect(long.output == short.output)
    #expect(long.output.contains("Usage:\n  minilab \(name)"))
  }

  @Test(
    "every page has examples, exit statuses and all flags", arguments: names)
  func complete(name: String) throws {
    let command = try CommandTable.find(name).description
    let page = HelpText().page(of: command)
    #expect(!command.examples.isEmpty)
    for example in command.examples { #expect(page.contains("  \(example.command)\n")) }
    for flag in command.allFlags { #expect(page.contains("  \(flag.spelling)")) }
    #expect(command.exitStatuses.contains(.success))
    #expect(command.exitStatuses.contains(.usage))
    for status in command.exitStatuses { #expect(page.contains("  \(status.rawValue) ")) }
  }

  @Test("no page is wider than a terminal", arguments: names)
  func width(name: String) throws {
    let command = try CommandTable.find(name).description
    let texts = [HelpText().overview(), HelpText().page(of: command)]
    for line in texts.joined(separator: "\n").split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test("every example is a command line that is accepted", arguments: names)
  func examples(name: String) throws {
    let command = try CommandTable.find(name).description
    for example in command.examples {
      var words = example.command.split(separator: " ").map(String.init)
      if let redirection = words.firstIndex(where: { [">", "|"].contains($0) }) {
        words.removeSubrange(redirection...)
      }
      let start = try #require(words.firstIndex { $0.hasSuffix("minilab") })
      #expect(words[start + 1] == command.name)
      let arguments = words[(start + 2)...].map { word in
        Argument(word.hasSuffix(")") ? String(word.dropLast()) : word)
      }
      _ = try ArgumentParser(command).parse(arguments)
    }
  }

  @Test("the overview names every command and every exit status")
  func overview() {
    let text = HelpText().overview()
    for command in CommandTable.descriptions {
      #expect(text.contains("  \(command.name) "))
      #expect(text.contains(command.summary))
    }
    for status in RenderModel.ExitStatus.allCases {
      #expect(text.contains("  \(status.rawValue) "))
    }
  }

  @Test("the words that 'help' completes are the commands")
  func commandNames() {
    #expect(HelpCommand.commandNames == Self.names)
  }

  @Test("docs/cli.md is the reference that the program writes")
  func reference() {
    #expect(
      repositoryFile("docs/cli.md") == MarkdownReference.document(),
      "run scripts/docs")
  }

  @Test(
    "the README's table of exit statuses is the program's",
    arguments: RenderModel.ExitStatus.allCases)
  func readme(status: RenderModel.ExitStatus) throws {
    let readme = try #require(repositoryFile("README.md"))
    #expect(readme.contains("\n| `\(status.rawValue)` | \(status.meaning) |\n"))
  }

  @Test("the version is the newest heading of CHANGELOG.md")
  func version() throws {
    let changes = try #require(repositoryFile("CHANGELOG.md"))
    let heading = changes.split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(try #require(heading).hasPrefix("## \(ProductVersion.number) "))
  }

  @Test("long text is broken between words, a long word stands alone")
  func wrapping() {
    #expect(WrappedText.lines("aa bb cc", width: 5) == ["aa bb", "cc"])
    #expect(WrappedText.lines("a wonderful b", width: 5) == ["a", "wonderful", "b"])
    #expect(WrappedText.lines("", width: 5).isEmpty)
    let rows = [(term: "a", text: "one two"), (term: "longer", text: "x")]
    #expect(
      WrappedText.table(rows, width: 10, column: 6) == "  a   one\n      two\n  longer\n      x\n")
  }
}
