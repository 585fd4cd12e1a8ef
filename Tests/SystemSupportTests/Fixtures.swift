import Glibc
import SystemSupport

/// A new folder that goes with this value.
final class TemporaryFolder: Sendable {
  let path: String
  let directory: Directory

  init() throws {
    path = "/tmp/minilab-system-\(RandomBytes.hex(8))"
    directory = try Directory(path: path, creating: true)
  }

  deinit {
    if let parent = try? Directory(path: "/tmp") {
      try? parent.removeTree(Array(path.dropFirst("/tmp/".count).utf8))
    }
  }

  func write(_ name: String, _ text: String) throws {
    if let slash = name.lastIndex(of: "/") {
      _ = try directory.makeDirectories(Array(name[..<slash].utf8))
    }
    let file = try directory.openBeneath(
      Array(name.utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try FileTransfer.writeAll(file, Array(text.utf8))
  }

  func read(_ name: String) throws -> String {
    let file = try directory.openBeneath(Array(name.utf8), flags: O_RDONLY)
    return String(decoding: try FileTransfer.readAll(file, limit: 1 << 20), as: UTF8.self)
  }

  func link(_ name: String, to target: String) throws {
    try SystemError.retrying("symlink") { unsafe symlink(target, "\(path)/\(name)") }
  }
}

/// A memory file with this content.
func memoryFile(_ text: String) throws -> OwnedDescriptor {
  let file = try MemoryFile.create(name: "test")
  try FileTransfer.writeAll(file, Array(text.utf8))
  return file
}

/// The whole content as text.
func text(_ descriptor: OwnedDescriptor) throws -> String {
  String(decoding: try FileTransfer.readAll(descriptor, limit: 1 << 20), as: UTF8.self)
}

/// A pipe, reading end first.
func makePipe() throws -> (OwnedDescriptor, OwnedDescriptor) {
  var ends: [Int32] = [-1, -1]
  try SystemError.retrying("pipe") { unsafe pipe(&ends) }
  return (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
}

/// What a call throws as its errno; nil when it throws nothing.
func failure(_ body: () throws -> Void) -> Int32? {
  do {
    try body()
    return nil
  } catch let error as SystemError {
    return error.errno
  } catch {
    return -1
  }
}

/// Runs a program with its output in a memory file.
func capture(
  _ path: String, _ arguments: [String], environment: [String] = [],
  descriptors: [(source: Int32, target: Int32)] = [], newSession: Bool = true
) throws -> (report: ExitReport, output: String) {
  let output = try MemoryFile.create(name: "output")
  let child = try ChildProcess.spawn(
    path: path, arguments: arguments, environment: environment,
    descriptors: descriptors + [(source: output.rawValue, target: 1)], newSession: newSession)
  let report = try child.wait()
  return (report, try text(output))
}
