import SystemSupport

/// The commands of the bench, and the exit statuses: 0 done, 1 failed, 64 usage.
enum BenchProgram {
  static let usage = """
    minilab-bench measures the programs beside it; benchmarks/README.md says how.

    minilab-bench corpus DIR [--count N] [--megapixels M]      draws photos
    minilab-bench loop --output DIR [--jobs N] [--processes P] FILE...
                                                              renders without any pool
    minilab-bench overhead --corpus DIR --work DIR [--jobs N] [--rounds R]
                                                              the pool against the loop
    minilab-bench scale --work DIR [--jobs N,N...]            one run for each number of jobs
    minilab-bench filters --photo FILE --work DIR [--rounds R] [--each NAME]
                                                              what filters take
    minilab-bench fidelity --work DIR [--rounds R]            metadata, colour, self-check
    minilab-bench memory --work DIR [--width W] [--height H]  peak against height
    minilab-bench manifest --work DIR [--lines N]             validates a long manifest
    minilab-bench ledger --work DIR [--jobs N] [--rounds R]   a ledger of many jobs
    """

  static func run(_ arguments: [String]) -> Int32 {
    do {
      let command = arguments.first ?? ""
      let arguments = try BenchArguments(arguments.dropFirst())
      switch command {
      case "corpus": try CorpusCommand(arguments).run()
      case "loop": try LoopCommand(arguments).run()
      case "overhead": try OverheadCommand(arguments).run()
      case "scale": try ScaleCommand(arguments).run()
      case "filters": try FiltersCommand(arguments).run()
      case "fidelity": try FidelityCommand(arguments).run()
      case "memory": try MemoryCommand(arguments).run()
      case "manifest": try ManifestCommand(arguments).run()
      case "ledger": try LedgerCommand(arguments).run()
      default: throw BenchFailure(usage, status: 64)
      }
      return 0
    } catch let failure as BenchFailure {
      StandardError.say(failure.words)
      return failure.status
    } catch {
      StandardError.say("minilab-bench: \(error)")
      return 1
    }
  }
}

/// Why a measurement cannot be had.
struct BenchFailure: Error {
  let words: String
  var status: Int32 = 1

  init(_ words: String, status: Int32 = 1) {
    self.words = words
    self.status = status
  }
}

/// `--name value` pairs and what stands between them.
struct BenchArguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        operands.append(argument)
        continue
      }
      guard let value = rest.popFirst() else {
        throw BenchFailure("\(argument) wants a value", status: 64)
      }
      values[String(argument.dropFirst(2))] = value
    }
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else {
      throw BenchFailure("--\(name) is missing\n\n\(BenchProgram.usage)", status: 64)
    }
    return value
  }

  func optional(_ name: String) -> String? { values[name] }

  func number(_ name: String, default standard: Int, least: Int = 1) throws -> Int {
    try numbers(name, default: [standard], least: least)[0]
  }

  /// Numbers with commas between them.
  func numbers(_ name: String, default standard: [Int], least: Int = 1) throws -> [Int] {
    guard let text = values[name] else { return standard }
    let numbers = text.split(separator: ",").compactMap { Int($0) }.filter { $0 >= least }
    guard !numbers.isEmpty, numbers.count == text.split(separator: ",").count else {
      throw BenchFailure("--\(name) wants numbers of at least \(least)", status: 64)
    }
    return numbers
  }
}
