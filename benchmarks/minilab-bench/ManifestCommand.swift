import SystemSupport

/// Validates a long manifest: it must neither take long nor be held in memory.
struct ManifestCommand {
  private let work: String
  private let lines: Int

  /// What a million lines may take.
  static let wanted = (seconds: 15.0, bytes: 200_000_000)

  init(_ arguments: BenchArguments) throws {
    work = try arguments.text("work")
    lines = try arguments.number("lines", default: 1_000_000)
  }

  func run() throws {
    let folder = try Directory(path: work, creating: true)
    try ManifestText.write(
      folder, library: work, rendition: BenchJob.json,
      lines: (0..<lines).lazy.map { ("2024/\($0 / 1000)/\($0)", "2024/\($0 / 1000)/IMG_\($0).JPG") }
    )
    var runs: [Measurement] = []
    for _ in 0..<3 {
      runs.append(
        try MeasuredProgram.run("minilab", ["validate", "\(work)/\(ManifestText.name)"]))
    }
    let wall = Statistics.median(runs.map(\.wall))
    let peak = runs.map(\.peakResident).max() ?? 0
    print(
      TableText.lines([
        ["median of 3", ""],
        ["lines", "\(lines)"],
        ["wall, s", TableText.number(wall)],
        ["CPU, s", TableText.number(Statistics.median(runs.map(\.ownCPU)))],
        ["peak memory, MB", TableText.number(Double(peak) / 1_000_000, 1)],
      ]))
    guard wall <= Self.wanted.seconds, peak <= Self.wanted.bytes else {
      throw BenchFailure(
        "more than the \(Self.wanted.seconds) s and \(Self.wanted.bytes / 1_000_000) MB wanted")
    }
  }
}
