import Digest
import Glibc
import JSONText
import SystemSupport

/// A library of drawn pictures, a manifest and an output folder, all of one test.
final class RenderScene {
  let folder: TemporaryFolder
  let manifest = "manifest.json"
  /// A state folder apart from the output, in the test's folder; nil for the output's own.
  var stateName: String?

  /// One rendition for tests that only want a job to be quick.
  static let quick = """
    {"renditions": [{"name": "full", "type": "public.png"}]}
    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("library")
  }

  var output: String { folder.path + "/out" }

  /// Draws a picture into the library; another seed gives other pixels.
  func draw(_ name: String, seed: Int = 0, width: Int = 24, height: Int = 16) throws {
    try folder.write("library/" + name, Drawing.png(width: width, height: height, seed: seed))
  }

  /// Writes the manifest from the JSON of its jobs and defaults.
  func write(jobs: [String], defaults: String = RenderScene.quick) throws {
    try folder.write(
      manifest,
      """
      {"minilab": 1, "library": "library", "defaults": \(defaults), "jobs": [
      \(jobs.joined(separator: ",\n"))
      ]}
      """)
  }

  /// Writes a manifest of jobs that only name their assets.
  func write(assets: [String], defaults: String = RenderScene.quick) throws {
    try write(jobs: assets.map { "{\"asset\": \"\($0)\"}" }, defaults: defaults)
  }

  /// Draws so many pictures and writes a manifest of them.
  func fill(_ count: Int, width: Int = 24, height: Int = 16) throws {
    let names = (0..<count).map { "p\($0).png" }
    for (index, name) in names.enumerated() {
      try draw(name, seed: index, width: width, height: height)
    }
    try write(assets: names)
  }

  func start(_ flags: [String] = [], progress: String = "none") throws -> RunningProgram {
    try RunningProgram(
      BuiltPrograms.minilab,
      arguments(flags, progress: progress))
  }

  /// The words after the program's name, for those who start it by another program.
  func arguments(_ flags: [String] = [], progress: String = "none") -> [String] {
    let state = stateName.map { ["--state", folder.path + "/" + $0] } ?? []
    return ["render", folder.path + "/" + manifest, "--output", output, "--progress", progress]
      + state + flags
  }

  @discardableResult
  func render(_ flags: [String] = []) throws -> ProgramEnd { try start(flags).wait() }

  // MARK: - What a run left

  /// All runs, oldest first.
  func runs() throws -> [RunRecord] {
    let path = (stateName ?? "out/.minilab") + "/runs"
    return try runNames().map { try RunRecord(folder, "\(path)/\($0)") }
  }

  /// Oldest first.
  func runNames() throws -> [String] {
    let path = (stateName ?? "out/.minilab") + "/runs"
    guard try folder.status(path) != nil else { return [] }
    let entries = try folder.directory.openDirectory(Array(path.utf8)).entries()
    return entries.map { String(decoding: $0.name, as: UTF8.self) }.sorted()
  }

  func lastRun() throws -> RunRecord {
    guard let run = try runs().last else { throw RunRecord.Flaw(words: "there is no run") }
    return run
  }

  /// The last report of every job over all runs.
  func lastReports() throws -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for run in try runs() { result.merge(run.reports) { _, later in later } }
    return result
  }

  /// Files under the output and state folders that are neither outputs nor the state that may stay.
  func temporaries() throws -> [String] {
    let apart = try stateName.map { try folder.files(in: $0) } ?? []
    let state = apart.map { ".minilab/" + String(decoding: $0, as: UTF8.self) }
    let output = try folder.files(in: "out").map { String(decoding: $0, as: UTF8.self) }
    return (output + state).filter { path in
      let parts = path.split(separator: "/").map(String.init)
      guard parts.first == ".minilab" else { return path.hasPrefix(".") || path.hasSuffix(".tmp") }
      // The ledger's log stays where a full disk leaves no room to carry it over.
      let kept = ["lock", "ledger.sqlite", "ledger.sqlite-wal", "output", "compacted-size"]
      if parts.count == 2, kept.contains(parts[1]) { return false }
      return
        !(parts.count == 4 && parts[1] == "runs"
        && ["journal.jsonl", "summary.json"].contains(parts[3]))
    }
  }

  /// Output files, without the state folder.
  func outputs() throws -> [String] {
    try folder.files(in: "out").map { String(decoding: $0, as: UTF8.self) }
      .filter { !$0.hasPrefix(".minilab/") }
  }

  /// Outputs whose bytes are not those of their job's last report.
  func outputsNotAsReported() throws -> [String] {
    var wrong: [String] = []
    for report in try lastReports().values where report.outcome == "rendered" {
      for rendition in report["renditions"]?.array ?? [] {
        guard let path = rendition["path"]?.string else { continue }
        if try folder.status("out/" + path) == nil {
          wrong.append("\(path) is missing")
        } else if try folder.digest("out/" + path) != rendition["sha256"]?.string {
          wrong.append("\(path) has other bytes")
        }
      }
    }
    return wrong.sorted()
  }
}

/// What one run wrote: its journal and its summary.
struct RunRecord {
  struct Flaw: Error { var words: String }

  /// The journal's whole lines.
  var lines: [JSONValue] = []
  /// Bytes after the last newline.
  var tornBytes = 0
  /// nil when the run did not come to write it.
  var summary: JSONValue?
  var text: [UInt8] = []

  init(_ folder: TemporaryFolder, _ path: String) throws {
    if try folder.status(path + "/summary.json") != nil {
      summary = try JSONValue(text: try folder.read(path + "/summary.json"))
    }
    guard try folder.status(path + "/journal.jsonl") != nil else { return }
    text = try folder.read(path + "/journal.jsonl")
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(rest[..<end])
      guard Checksum.fits(line) else { throw Flaw(words: "a checksum of \(path) does not fit") }
      lines.append(try JSONValue(text: line))
      rest = rest[(end + 1)...]
    }
    tornBytes = rest.count
  }

  /// The last report of each job.
  var reports: [String: JSONValue] {
    Dictionary(
      lines.filter { $0["kind"]?.string == "report" }.map { ($0["job"]?.string ?? "", $0) },
      uniquingKeysWith: { _, later in later })
  }

  /// How many reports each job has; a run gives every job at most one.
  var reportCounts: [String: Int] {
    lines.filter { $0["kind"]?.string == "report" }
      .reduce(into: [:]) { $0[$1["job"]?.string ?? "", default: 0] += 1 }
  }

  func total(_ name: String) -> Int? { summary?["totals"]?[name]?.number?.integer }
  var isBalanced: Bool { summary?["balanced"]?.bool == true }
}

extension JSONValue {
  init(text: [UInt8]) throws { self = try JSONParser.parse(text[...]).value }

  /// A report's state, with its code where it has one: `failed(truncated)`.
  var outcome: String? {
    guard let state = self["outcome"]?["state"]?.string else { return nil }
    return self["outcome"]?["code"]?.string.map { "\(state)(\($0))" } ?? state
  }

  var detail: String? { self["outcome"]?["detail"]?.string }
  var reason: String? { self["reason"]?.string }
  var keys: Set<String> { Set((object ?? []).map(\.key)) }
}

/// CRC-32C of a journal line, computed bit by bit.
enum Checksum {
  static func fits(_ line: [UInt8]) -> Bool {
    // …,"checksum":"01234567"}
    let suffix = Array(",\"checksum\":\"".utf8)
    guard line.count > suffix.count + 10 else { return false }
    let body = line.dropLast(suffix.count + 10)
    let digits = String(decoding: line.suffix(10).dropLast(2), as: UTF8.self)
    return line.dropLast(10).suffix(suffix.count).elementsEqual(suffix)
      && UInt32(digits, radix: 16) == castagnoli(body)
  }

  /// A line whose checksum is made to fit again.
  static func sealed(_ line: String) -> String {
    let body = Array(line.utf8.dropLast(",\"checksum\":\"01234567\"}".utf8.count))
    let digits = String(castagnoli(body), radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    return String(decoding: body, as: UTF8.self) + ",\"checksum\":\"\(padded)\"}"
  }

  private static func castagnoli(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { value, byte in
      (0..<8).reduce(value ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
      }
    }
  }
}
