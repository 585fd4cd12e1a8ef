import Glibc
import RenderModel
import Testing

@testable import CommandLineInterface

@Suite("The program")
struct ProgramTests {
  @Test("no command: the overview as talk, status 64")
  func noCommand() {
    let harness = ProgramHarness()
    #expect(harness.run([]) == .usage)
    #expect(harness.output.isEmpty)
    #expect(harness.talk.contains("a command is missing"))
    #expect(harness.talk.contains("Commands:"))
  }

  @Test(
    "help and version are results", arguments: ["--help", "-h", "--version", "help", "version"])
  func results(word: String) {
    let harness = ProgramHarness()
    #expect(harness.run([Argument(word)]) == .success)
    #expect(!harness.output.isEmpty)
    #expect(harness.talk.isEmpty)
  }

  @Test("a mistyped command is answered with the nearest one and the usage line")
  func mistyped() {
    let harness = ProgramHarness()
    #expect(harness.run(["rendr", "x"]) == .usage)
    #expect(
      harness.talk == """
        error: there is no command 'rendr'; did you mean 'render'?
        usage: minilab COMMAND [OPTIONS] ...
        See 'minilab --help' for more.

        """)
    #expect(harness.output.isEmpty)
  }

  @Test("a mistyped flag is answered with the usage line of its command")
  func mistypedFlag() {
    let harness = ProgramHarness()
    #expect(harness.run(["render", "--worker", "3"]) == .usage)
    #expect(
      harness.talk == """
        error: there is no option '--worker'; did you mean '--workers'?
        usage: minilab render [OPTIONS] --output DIR MANIFEST...
        See 'minilab render --help' for more.

        """)
  }

  @Test("a flag before the command is refused", arguments: ["--workers", "--helpp", "-v"])
  func flagFirst(word: String) {
    #expect(ProgramHarness().run([Argument(word), "render"]) == .usage)
  }

  @Test("help on a command that does not exist is refused")
  func helpOnNothing() {
    let harness = ProgramHarness()
    #expect(harness.run(["help", "valdate"]) == .usage)
    #expect(harness.talk.contains("there is no command 'valdate'"))
  }

  @Test("a reader who has gone is a success, and nothing more is written")
  func brokenPipe() {
    let harness = ProgramHarness()
    harness.outputError = EPIPE
    #expect(harness.run(["help", "render"]) == .success)
    #expect(harness.talk.isEmpty)
    #expect(harness.writesAttempted == 1)
  }

  @Test("results that cannot be written are no success")
  func diskFull() {
    let harness = ProgramHarness()
    harness.outputError = ENOSPC
    #expect(harness.run(["help", "render"]) == .outputUnwritable)
    #expect(harness.talk == "error: standard output cannot be written: No space left on device\n")
  }

  @Test("after a failed write a stream stays silent")
  func latched() {
    var writes = 0
    let stream = TextStream(sink: { _ in
      writes += 1
      return EIO
    })
    stream.write("a")
    stream.write("b")
    #expect(writes == 1)
    #expect(stream.state == .failed(EIO))
  }
}

@Suite("Colour")
struct TextStyleTests {
  @Test(
    "colour is for terminals that know it, unless NO_COLOR is set",
    arguments: [
      (true, ["TERM": "xterm"], .coloured),
      (false, ["TERM": "xterm"], .plain),
      (true, ["TERM": "dumb"], .plain),
      (true, [:], .plain),
      (true, ["TERM": "xterm", "NO_COLOR": "1"], .plain),
      (true, ["TERM": "xterm", "NO_COLOR": ""], .coloured),
    ] as [(Bool, [String: String], TextStyle)])
  func decision(isTerminal: Bool, environment: [String: String], style: TextStyle) {
    #expect(TextStyle(isTerminal: isTerminal, environment: environment) == style)
  }

  @Test("plain output has no escape characters, coloured output has")
  func escapes() {
    let plain = ProgramHarness()
    _ = plain.run(["help", "render"])
    #expect(!plain.output.contains("\u{1B}"))
    let coloured = ProgramHarness()
    coloured.style = .coloured
    _ = coloured.run(["help", "render"])
    #expect(coloured.output.contains("\u{1B}[1mUsage:\u{1B}[0m"))
  }
}
