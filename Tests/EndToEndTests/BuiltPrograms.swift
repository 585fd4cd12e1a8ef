import Glibc
import SystemSupport

/// The programs of this build, which lie beside the test bundle.
enum BuiltPrograms {
  static var minilab: String { folder + "/minilab" }
  static var worker: String { folder + "/minilab-worker" }

  /// The folder of the test bundle, from the command line or the running program.
  private static var folder: String {
    let candidates = CommandLine.arguments + [linkTarget("/proc/self/exe")]
    for argument in candidates {
      var path = argument[...]
      while let slash = path.lastIndex(of: "/") {
        path = path[..<slash]
        if unsafe access(String(path) + "/minilab-worker", X_OK) == 0 { return String(path) }
      }
    }
    return ".build/release"
  }

  private static func linkTarget(_ path: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
