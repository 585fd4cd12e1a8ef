import Glibc
import RenderModel
import Testing

@testable import CommandLineInterface

/// A shell of this machine, run with a script on its standard input.
private struct ShellProbe {
  struct ProbeFailure: Error {}

  static func isInstalled(_ shell: String) -> Bool {
    unsafe access("/usr/bin/\(shell)", X_OK) == 0
  }

  /// Runs `shell arguments… SCRIPT` with the script in a temporary file; gives back what it printed.
  static func run(_ shell: String, _ script: String) throws -> [String] {
    var template = Array(
      ("/tmp/minilab-completions-" + String(repeating: "X", count: 6)).utf8CString)
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = unsafe unlink(path) }
    let bytes = Array(script.utf8)
    let written = unsafe write(descriptor, bytes, bytes.count)
    try #require(written == bytes.count)
    close(descriptor)

    guard let pipe = unsafe popen("\(shell) \(path) 2>&1", "r") else {
      throw ProbeFailure()
    }
    var output: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte != EOF {
      output.append(UInt8(truncatingIfNeeded: byte))
    }
    let status = unsafe pclose(pipe)
    #expect(status == 0)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

@Suite("Completions")
struct CompletionTests {
  @Test("the script of each shell is written", arguments: CompletionsCommand.Shell.allCases)
  func script(shell: CompletionsCommand.Shell) {
    let harness = ProgramHarness()
    #expect(harness.run(["completions", Argument(shell.rawValue)]) == .success)
    for command in CommandTable.descriptions {
      #expect(harness.output.contains(command.name))
      for flag in command.allFlags { #expect(harness.output.contains(flag.name)) }
    }
  }

  @Test("another shell is refused with those that are known")
  func otherShell() {
    let harness = ProgramHarness()
    #expect(harness.run(["completions", "tcsh"]) == .usage)
    #expect(harness.talk.contains("it must be bash, zsh or fish"))
  }

  @Test(
    "bash completes",
    .enabled(if: ShellProbe.isInstalled("bash"), "bash is not installed"),
    arguments: [
      (["re"], ["render"]),
      (["--v"], ["--version"]),
      (["render", "--wo"], ["--workers"]),
      (["render", "x", "--sandbox", ""], ["required", "best-effort"]),
      (["render", "--sandbox", "=", "b"], ["best-effort"]),
      (["render", "--format", "="], ["text", "json"]),
      (["render", "--workers", ""], []),
      (["completions", "f"], ["fish"]),
      (["help", "comp"], ["completions"]),
      (["render", "/usr/bi"], ["/usr/bin"]),
      (["render", "--output", "/usr/bi"], ["/usr/bin"]),
    ])
  func bash(words: [String], expected: [String]) throws {
    let line = (["minilab"] + words).map(ShellQuote.posix).joined(separator: " ")
    let script = """
      \(CompletionsCommand.script(for: .bash, commands: CommandTable.descriptions))
      compopt() { :; }
      COMP_WORDS=(\(line))
      COMP_CWORD=\(words.count)
      _minilab
      for word in "${COMPREPLY[@]}"; do echo "$word"; done
      """
    #expect(try ShellProbe.run("bash --norc", script) == expected)
  }

  @Test(
    "zsh accepts the script",
    .enabled(if: ShellProbe.isInstalled("zsh"), "zsh is not installed"))
  func zsh() throws {
    let script = CompletionsCommand.script(for: .zsh, commands: CommandTable.descriptions)
    #expect(try ShellProbe.run("zsh -f -n", script).isEmpty)
    let loaded = "autoload -U compinit; compinit -D -u\n\(script)\necho $_comps[minilab]"
    #expect(try ShellProbe.run("zsh -f", loaded) == ["_minilab"])
  }

  @Test(
    "fish completes",
    .enabled(if: ShellProbe.isInstalled("fish"), "fish is not installed"),
    arguments: [
      ("minilab re", ["render"]),
      ("minilab render --wo", ["--workers"]),
      ("minilab render --sandbox=", ["--sandbox=best-effort", "--sandbox=required"]),
      ("minilab completions z", ["zsh"]),
    ])
  func fish(line: String, expected: [String]) throws {
    let script = """
      \(CompletionsCommand.script(for: .fish, commands: CommandTable.descriptions))
      complete -C\(ShellQuote.fish(line)) | string replace -r '\\t.*' ''
      true
      """
    #expect(try ShellProbe.run("fish --no-config", script).sorted() == expected)
  }

  @Test("quotes in a word do not end it")
  func quotes() {
    #expect(ShellQuote.posix("it's") == "'it'\\''s'")
    #expect(ShellQuote.fish("it's \\") == "'it\\'s \\\\'")
  }
}
