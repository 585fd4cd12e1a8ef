import Glibc
import Manifest
import RenderModel
import SystemSupport
import Testing

/// A folder of its own for one test, removed with everything in it afterwards.
final class TemporaryFolder {
  let path: String
  let directory: Directory

  init() throws {
    var random = SystemRandomNumberGenerator()
    path = "/tmp/minilab-manifest-\(String(random.next(), radix: 36))"
    directory = try Directory(path: path, creating: true)
  }

  deinit {
    let name = path.split(separator: "/").last.map { Array($0.utf8) } ?? []
    try? Directory(path: "/tmp").removeTree(name)
  }

  /// Writes a file, with the folders above it, and gives its absolute path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try write(Array(name.utf8), bytes)
    return path + "/" + name
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  func write(_ name: [UInt8], _ bytes: [UInt8]) throws {
    let path = RelativePath(bytes: name)
    let folder =
      path.directory.bytes.isEmpty
      ? directory : try directory.makeDirectories(path.directory.bytes)
    let file = try folder.openBeneath(
      path.lastComponent, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try FileTransfer.writeAll(file, bytes)
  }

  func makeFolder(_ name: String) throws {
    _ = try directory.makeDirectories(Array(name.utf8))
  }

  func link(_ name: String, to target: String) throws {
    let made = unsafe symlink(target, path + "/" + name)
    try #require(made == 0)
  }
}

/// The first bytes of files, as their formats define them.
enum Magic {
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 60)
  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 56)
  static let movie: [UInt8] =
    [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8)
}

/// Runs the check of a manifest that is given as text.
struct Checked {
  let folder: TemporaryFolder
  let source: ManifestSource
  let check: ManifestCheck

  init(_ text: String, folder: TemporaryFolder? = nil, _ options: ManifestOptions = .init()) throws
  {
    try self.init(Array(text.utf8), folder: folder, options)
  }

  init(
    _ bytes: [UInt8], folder: TemporaryFolder? = nil, _ options: ManifestOptions = .init()
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let path = try folder.write("manifest.json", bytes)
    source = try ManifestSource(path: path, options: options)
    check = try source.check()
  }

  var problems: [ManifestProblem] { check.problems }

  /// `line:column field`, to be compared with what a person would point at.
  var places: [String] {
    check.problems.map { "\($0.line):\($0.column) \($0.field)" }
  }

  func lines() throws -> [JobLine] {
    var result: [JobLine] = []
    try source.jobs {
      result.append($0)
      return true
    }
    return result
  }

  func jobs() throws -> [Job] {
    try lines().compactMap { line in
      guard case .job(let job) = line else { return nil }
      return job
    }
  }
}

/// Wraps one job in the smallest manifest around it.
func manifest(job: String) -> String {
  "{\"minilab\": 1, \"jobs\": [\n\(job)\n]}"
}

/// Wraps one rendition's members in the smallest manifest around them.
func manifest(rendition: String) -> String {
  manifest(job: "{\"asset\": \"a.jpg\", \"renditions\": [{\"name\": \"r\", \(rendition)}]}")
}
