import Glibc
import RenderModel
import SystemSupport

@testable import Journal

/// A new folder that goes with this value.
final class TemporaryFolder: Sendable {
  let path: String
  let directory: Directory

  init() throws {
    path = "/tmp/minilab-journal-\(RandomBytes.hex(8))"
    directory = try Directory(path: path, creating: true)
  }

  deinit {
    if let parent = try? Directory(path: "/tmp") {
      try? parent.removeTree(Array(path.dropFirst("/tmp/".count).utf8))
    }
  }

  func read(_ name: String) throws -> [UInt8] {
    let file = try directory.openBeneath(Array(name.utf8), flags: O_RDONLY)
    return try FileTransfer.readAll(file, limit: 1 << 24)
  }

  func names(_ path: String = "") throws -> [String] {
    let folder = path.isEmpty ? directory : try directory.openDirectory(Array(path.utf8))
    return try folder.entries().map { String(decoding: $0.name, as: UTF8.self) }.sorted()
  }
}

func write(_ directory: Directory, _ name: [UInt8], _ bytes: [UInt8]) throws {
  if let slash = name.lastIndex(of: UInt8(ascii: "/")) {
    _ = try directory.makeDirectories(Array(name[..<slash]))
  }
  let file = try directory.openBeneath(name, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
  try FileTransfer.writeAll(file, bytes)
}

func write(_ directory: Directory, _ name: String, _ text: String) throws {
  try write(directory, Array(name.utf8), Array(text.utf8))
}

let runName = "20260131T120000Z-0123abcd"

/// Stands in for SHA-256: 64 digits that depend on every byte.
func fingerprint(_ bytes: [UInt8]) -> String {
  let sum = CRC32C.text(CRC32C.checksum(bytes))
  return String(repeating: sum, count: 8)
}

func fingerprint(_ descriptor: OwnedDescriptor) throws -> String {
  fingerprint(try FileTransfer.readAll(descriptor, limit: 1 << 24))
}

func report(_ job: String = "a.jpg", _ state: OutcomeState = .rendered) -> JobReport {
  var report = JobReport(
    job: job, run: runName, attempt: 1, asset: .init(path: RelativePath(job)),
    outcome: Outcome(state))
  report.finished = "2026-01-31T12:00:00.000Z"
  return report
}

let start = RunStart(
  run: runName, node: "lab", started: "2026-01-31T12:00:00.000Z",
  manifests: [.init(path: "demo.json", sha256: fingerprint([1]))])

/// What a reader gives and what it passed over.
func readAll(
  _ directory: Directory
) throws -> (lines: [JournalLine], corrupt: [JournalReader.CorruptLine], torn: Int) {
  guard var reader = try JournalReader.open(directory) else { return ([], [], 0) }
  var lines: [JournalLine] = []
  while let line = try reader.next() { lines.append(line) }
  return (lines, reader.corrupt, reader.tornBytes)
}

/// The code of what a call throws; nil when it throws no error of the journal.
func code(_ body: () throws -> Void) -> JournalError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? JournalError)?.code
  }
}
