import Glibc
import SystemSupport

/// The processes of this machine as /proc lists them.
enum ProcessList {
  /// Children of the test's own process with that name.
  static func children(named name: String) -> [Int32] {
    all().filter { $0.parent == getpid() && $0.name == name }.map(\.pid)
  }

  static func killChildren(named name: String) {
    for pid in children(named: name) { kill(pid, SIGKILL) }
  }

  /// Live worker processes of any run of these tests whose coordinator is gone.
  static func orphans() -> [Int32] {
    let all = all()
    guard let path = unsafe realpath(BuiltPrograms.worker, nil) else { return [] }
    defer { unsafe free(path) }
    let worker = unsafe String(cString: path)
    let names = Dictionary(all.map { ($0.pid, $0.name) }, uniquingKeysWith: { first, _ in first })
    return all.filter { process in
      guard process.name == "minilab-zygote" || process.name == "minilab-worker",
        process.state != "Z", process.parent != getpid()
      else { return false }
      let parent = names[process.parent] ?? ""
      return !parent.hasPrefix("minilab") && !parent.hasPrefix("swift")
        && program(of: process.pid) == worker
    }.map(\.pid)
  }

  /// Other builds of the worker may be at work on the same machine.
  private static func program(of pid: Int32) -> String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/\(pid)/exe", &path, path.count)
    return count > 0
      ? String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  struct Entry {
    var pid: Int32
    var parent: Int32
    var name: String
    var state: Character
  }

  static func all() -> [Entry] {
    guard let proc = try? Directory(path: "/proc"), let entries = try? proc.entries() else {
      return []
    }
    return entries.compactMap { entry in
      guard let pid = Int32(String(decoding: entry.name, as: UTF8.self)),
        let file = try? proc.openBeneath(entry.name + Array("/stat".utf8), flags: O_RDONLY),
        let bytes = try? FileTransfer.readAll(file, limit: 4096)
      else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else {
        return nil
      }
      let rest = text[text.index(after: close)...].split(separator: " ")
      guard rest.count > 1, let state = rest[0].first, let parent = Int32(rest[1]) else {
        return nil
      }
      return Entry(
        pid: pid, parent: parent, name: String(text[text.index(after: open)..<close]),
        state: state)
    }
  }
}
