import Glibc
import RenderModel
package import SystemSupport

/// Everything that `minilab doctor` looks at, before anything is concluded from it.
package struct MachineFacts: Sendable {
  package struct StateFolder: Sendable {
    /// The folder that was asked about.
    package var path: String
    /// Its nearest folder that exists; nil when even that cannot be read.
    package var fileSystem: FileSystemSpace?

    package init(path: String, fileSystem: FileSystemSpace?) {
      self.path = path
      self.fileSystem = fileSystem
    }
  }

  package var kernel: String
  package var resources: HostResources
  package var worker: WorkerFinding
  package var state: StateFolder

  package init(
    kernel: String, resources: HostResources, worker: WorkerFinding, state: StateFolder
  ) {
    self.kernel = kernel
    self.resources = resources
    self.worker = worker
    self.state = state
  }

  /// Looks at this machine.
  package static func gather(state: HostPath) -> MachineFacts {
    let program = WorkerLocation.runningProgram() ?? "/proc/self/exe"
    return MachineFacts(
      kernel: kernelName(), resources: HostResources.detect(),
      worker: WorkerEnquiry.ask(program: program),
      state: StateFolder(path: state.displayed, fileSystem: fileSystem(of: state.bytes)))
  }

  private static func kernelName() -> String {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return "unknown" }
    return [text(names.sysname), text(names.release), text(names.machine)].joined(separator: " ")
  }

  /// A C array of characters, which Swift sees as a tuple.
  private static func text<Characters>(_ characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Of the folder, or of the nearest one above it that exists.
  private static func fileSystem(of path: [UInt8]) -> FileSystemSpace? {
    var path = path
    while true {
      do {
        return try FileSystemSpace(at: Directory(path: path))
      } catch  where error.isNotFound {
        guard let parent = parent(of: path) else { return nil }
        path = parent
      } catch {
        return nil
      }
    }
  }

  private static func parent(of path: [UInt8]) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    if path == [slash] || path == Array(".".utf8) { return nil }
    var rest = path[...]
    while rest.last == slash { rest.removeLast() }
    while let last = rest.last, last != slash { rest.removeLast() }
    if rest.isEmpty { return Array(".".utf8) }
    while rest.count > 1, rest.last == slash { rest.removeLast() }
    return Array(rest)
  }
}
