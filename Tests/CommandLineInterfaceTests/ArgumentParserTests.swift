import Testing

@testable import CommandLineInterface

/// A command with a flag of every kind.
private enum Sample {
  enum Colour: String, CaseIterable, Sendable {
    case red, darkBlue = "dark-blue"
  }

  static let count = Flag("count", .count(from: 1), "How many", environment: true)
  static let colour = Flag("colour", ValueForm<Colour>.choice(), "Which colour")
  static let folder = Flag("folder", .directory(), "Where")
  static let loud = Switch("loud", "Be loud")

  static func command(
    operand: CommandDescription.OperandCount? = .oneOrMore, required: Bool = false
  ) -> CommandDescription {
    var folder = folder.description
    folder.isRequired = required
    return CommandDescription(
      name: "sample", summary: "Sample",
      operand: operand.map { CommandDescription.Operand("FILE", $0, "A file") },
      flags: [count.description, colour.description, folder, loud.description],
      examples: [], exitStatuses: [])
  }
}

private func parse(
  _ words: [Argument], environment: [String: String] = [:],
  command: CommandDescription = Sample.command()
) throws(UsageProblem) -> ParsedArguments {
  try ArgumentParser(command, environment: environment).parse(words)
}

@Suite("Reading a command line")
struct ArgumentParserTests {
  @Test(
    "a value follows the flag or an equals sign", arguments: [["--count", "3"], ["--count=3"]])
  func values(words: [String]) throws {
    let parsed = try parse(words.map { Argument($0) } + ["a"])
    #expect(parsed[Sample.count] == 3)
    #expect(parsed.operands == ["a"])
  }

  @Test("only the first equals sign ends the flag's name")
  func equalsInValue() throws {
    #expect(try parse(["--folder=a=b", "x"])[Sample.folder] == HostPath("a=b"))
  }

  @Test("flags and operands may be mixed, and operands keep their order")
  func mixed() throws {
    let parsed = try parse(["a", "--loud", "b", "--count", "2", "-"])
    #expect(parsed.operands == ["a", "b", "-"])
    #expect(parsed[Sample.loud])
    #expect(parsed[Sample.count] == 2)
  }

  @Test("two dashes end the flags")
  func endOfFlags() throws {
    let parsed = try parse(["--loud", "--", "--count", "--", "-h"])
    #expect(parsed.operands == ["--count", "--", "-h"])
    #expect(!parsed[CommonFlags.help])
    #expect(parsed[Sample.count] == nil)
  }

  @Test("of a flag given twice the last one counts")
  func repeated() throws {
    let parsed = try parse([
      "--count=1", "--colour", "red", "a", "--count", "9", "--loud", "--loud",
    ])
    #expect(parsed[Sample.count] == 9)
    #expect(parsed[Sample.loud])
  }

  @Test("help is given whatever else is wrong", arguments: ["--help", "-h"])
  func help(word: String) throws {
    #expect(try parse(["--nonsense", Argument(word)])[CommonFlags.help])
  }

  @Test("bytes that are not UTF-8 reach a path unchanged")
  func rawBytes() throws {
    let name: [UInt8] = [0x2F, 0xFF, 0x0A]
    let parsed = try parse(["--folder", Argument(bytes: name), Argument(bytes: name)])
    #expect(parsed[Sample.folder]?.bytes == name)
    #expect(parsed.operands.map(\.bytes) == [name])
  }

  @Test(
    "what is wrong is named, with what would be right",
    arguments: [
      (["--cuont", "3", "a"], .unknownFlag("--cuont", nearest: "--count")),
      (["--zebra", "a"], .unknownFlag("--zebra", nearest: nil)),
      (["-x", "a"], .unknownFlag("-x", nearest: nil)),
      (["a", "--count"], .missingValue(flag: "--count N")),
      (["a", "--folder", "--loud"], .missingValue(flag: "--folder DIR")),
      (["a", "--loud=yes"], .unexpectedValue(flag: "--loud", value: "yes")),
      (
        ["a", "--count", "0"],
        .invalidValue(source: "--count", value: "0", expectation: "a whole number, 1 or more")
      ),
      (
        ["a", "--count=-1"],
        .invalidValue(source: "--count", value: "-1", expectation: "a whole number, 1 or more")
      ),
      (
        ["a", "--colour", "blue"],
        .invalidValue(source: "--colour", value: "blue", expectation: "red or dark-blue")
      ),
      (
        ["a", "--folder="],
        .invalidValue(source: "--folder", value: "", expectation: "the path of a folder")
      ),
      ([], .missingOperand("FILE")),
    ] as [([String], UsageProblem)])
  func problems(words: [String], problem: UsageProblem) {
    #expect(throws: problem) { try parse(words.map { Argument($0) }) }
  }

  @Test("control characters of a refused word are shown escaped")
  func escaped() {
    #expect(throws: UsageProblem.unknownFlag("--a\\u{1B}[2J", nearest: nil)) {
      try parse(["--a\u{1B}[2J"])
    }
  }

  @Test("a required flag must be there")
  func required() {
    #expect(throws: UsageProblem.missingFlag("--folder DIR")) {
      try parse(["a"], command: Sample.command(required: true))
    }
  }

  @Test(
    "operands beyond the number that the command takes are refused",
    arguments: [(nil, ["a"]), (.one, ["x", "a"]), (.atMostOne, ["x", "a"])]
      as [(CommandDescription.OperandCount?, [String])])
  func tooMany(count: CommandDescription.OperandCount?, words: [String]) {
    #expect(throws: UsageProblem.unexpectedOperand("a")) {
      try parse(words.map { Argument($0) }, command: Sample.command(operand: count))
    }
  }

  @Test("an operand that may be missing may be missing")
  func optionalOperand() throws {
    #expect(try parse([], command: Sample.command(operand: .atMostOne)).operands.isEmpty)
  }
}

@Suite("Flags from the environment")
struct EnvironmentTests {
  @Test("a variable stands in for a flag that is not given")
  func standsIn() throws {
    #expect(try parse(["a"], environment: ["MINILAB_COUNT": "4"])[Sample.count] == 4)
  }

  @Test("the command line counts before the environment, even a bad one")
  func commandLineFirst() throws {
    #expect(try parse(["a", "--count=2"], environment: ["MINILAB_COUNT": "x"])[Sample.count] == 2)
  }

  @Test("an empty variable is none")
  func empty() throws {
    #expect(try parse(["a"], environment: ["MINILAB_COUNT": ""])[Sample.count] == nil)
  }

  @Test("a variable with a wrong value is named")
  func wrong() {
    let problem = UsageProblem.invalidValue(
      source: "the environment variable MINILAB_COUNT", value: "x",
      expectation: "a whole number, 1 or more")
    #expect(throws: problem) { try parse(["a"], environment: ["MINILAB_COUNT": "x"]) }
  }

  @Test("flags that take no variable do not look for one")
  func none() throws {
    #expect(try parse(["a"], environment: ["MINILAB_COLOUR": "red"])[Sample.colour] == nil)
  }
}
