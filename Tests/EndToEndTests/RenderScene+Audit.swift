import JSONText

extension RenderScene {
  /// Runs a command of the program on the output folder.
  func command(_ words: [String], manifest isGiven: Bool = true, flags: [String] = []) throws
    -> ProgramEnd
  {
    try RunningProgram(
      BuiltPrograms.minilab,
      words + (isGiven ? [folder.path + "/" + manifest] : [])
        + ["--output", output] + quiet(words) + flags
    ).wait()
  }

  /// The ledger's commands show no progress.
  private func quiet(_ words: [String]) -> [String] {
    words.first == "ledger" ? [] : ["--progress", "none"]
  }

  /// What a command wrote as JSON: its lines, the last of them the account.
  func lines(_ end: ProgramEnd) throws -> [JSONValue] {
    try end.output.split(separator: UInt8(ascii: "\n")).map { try JSONValue(text: Array($0)) }
  }

  /// All that the ledger knows, as JSON lines.
  func known() throws -> String {
    try RunningProgram(
      BuiltPrograms.minilab, ["ledger", "show", "--output", output, "--format", "json"]
    ).wait().outputText
  }

  /// The same after the ledger was made anew from the journals.
  func knownAnew() throws -> String {
    _ = try RunningProgram(BuiltPrograms.minilab, ["ledger", "rebuild", "--output", output]).wait()
    return try known()
  }

  /// Runs a command that is killed at the so many-th call of that name in any one thread.
  func command(_ words: [String], killedAt moment: KillTests.Moment) throws -> ProgramEnd {
    try RunningProgram(
      SystemProgram.find("strace") ?? "",
      [
        "-f", "-o", "/dev/null", "-e", "trace=\(moment.call)", "-e",
        "inject=\(moment.call):signal=SIGKILL:when=\(moment.count)", BuiltPrograms.minilab,
      ] + words + ["--output", output] + quiet(words)
    ).wait()
  }
}
