import Glibc
import JSONText
import SystemSupport
import Testing

/// Every manifest in `jobs/`, carried through against a small drawn library.
@Suite("Examples")
struct ExampleTests {
  /// The project's own folder, found from this file.
  private static func project(_ test: String = #filePath) -> String {
    test.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
  }

  private static let names: [String] = {
    let entries = (try? Directory(path: project() + "/jobs").entries()) ?? []
    return entries.map { String(decoding: $0.name, as: UTF8.self) }
      .filter { $0.hasSuffix(".json") || $0.hasSuffix(".jsonl") }.sorted()
  }()

  /// Copies a folder of the project with the folders in it.
  private static func copy(_ folder: Directory, to name: String, in target: TemporaryFolder) throws
  {
    for entry in try folder.entries() {
      let path = name + "/" + String(decoding: entry.name, as: UTF8.self)
      if entry.kind == .directory {
        try copy(try folder.openDirectory(entry.name), to: path, in: target)
      } else {
        let file = try folder.openBeneath(entry.name, flags: O_RDONLY)
        try target.write(path, try FileTransfer.readAll(file, limit: 1 << 20))
      }
    }
  }

  /// The assets that the jobs of a manifest name; what is in a folder is not named.
  private static func assets(in manifest: [UInt8]) throws -> [String] {
    let lines = manifest.split(separator: UInt8(ascii: "\n"))
    let values: [JSONValue]
    if let whole = try? JSONValue(text: manifest) {
      values = whole["jobs"]?.array ?? []
    } else {
      values = try lines.dropFirst().map { try JSONValue(text: Array($0)) }
    }
    return values.compactMap { $0["asset"]?.string }
  }

  @Test("there are examples") func some() { #expect(Self.names.count >= 6, "\(Self.names)") }

  @Test("an example is valid and renders all its jobs", arguments: names)
  func example(name: String) throws {
    let folder = try TemporaryFolder()
    try Self.copy(try Directory(path: Self.project() + "/jobs"), to: "jobs", in: folder)
    let manifest = try folder.read("jobs/" + name)
    // What an example says is somewhere on the machine is here beside it.
    let isElsewhere = (try? JSONValue(text: manifest))?["library"] != nil
    let library = isElsewhere ? "photos" : "jobs"
    let named = try Self.assets(in: manifest)
    for (index, asset) in (named.isEmpty ? ["photos/a.jpg"] : named).enumerated() {
      // Types are told from the bytes, so PNG under any name will do.
      try folder.write(
        "\(library)/\(asset)", Drawing.png(width: 60 + index, height: 40, seed: index))
    }
    let flags = isElsewhere ? ["--library", folder.path + "/" + library] : []
    let path = folder.path + "/jobs/" + name
    let check = try RunningProgram(BuiltPrograms.minilab, ["validate", path] + flags).wait()
    #expect(check.exitStatus == 0, "\(check.outputText)")
    let run = ["render", path, "--output", folder.path + "/out", "--progress", "none"] + flags
    let end = try RunningProgram(BuiltPrograms.minilab, run).wait()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let runs = try folder.directory.openDirectory(Array("out/.minilab/runs".utf8)).entries()
    let record = try RunRecord(
      folder, "out/.minilab/runs/" + String(decoding: runs[0].name, as: UTF8.self))
    #expect(record.isBalanced)
    #expect(record.total("rendered") == max(1, named.count))
    for (job, report) in record.reports {
      #expect(report.outcome == "rendered", "\(job): \(report.detail ?? "")")
    }
  }
}
