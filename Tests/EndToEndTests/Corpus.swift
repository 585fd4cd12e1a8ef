import Glibc
import SystemSupport

/// Real pictures beside the project, for suites that run only where they are.
enum Corpus {
  /// The folder of the corpus; nil where there is none.
  static let path: String? = {
    var candidates = [environment("MINILAB_SHARED")].compactMap { $0 }
    // The package's folder is three names above this file.
    let parts = #filePath.split(separator: "/").dropLast(3)
    candidates.append("/" + parts.dropLast().joined(separator: "/") + "/shared")
    return candidates.map { $0 + "/corpus" }.first { unsafe access($0, R_OK) == 0 }
  }()

  static var isThere: Bool { path != nil }

  private static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// All files beneath a folder of the corpus, sorted.
  static func files(_ folder: String = "") throws -> [[UInt8]] {
    guard let path else { return [] }
    var result: [[UInt8]] = []
    try collect(try Directory(path: path + "/" + folder), [], &result)
    return result.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func collect(
    _ directory: Directory, _ prefix: [UInt8], _ result: inout [[UInt8]]
  ) throws {
    for entry in try directory.entries() {
      let path = prefix + entry.name
      if entry.kind == .directory {
        try collect(
          try directory.openDirectory(entry.name), path + [UInt8(ascii: "/")], &result)
      } else if entry.kind == .regular {
        result.append(path)
      }
    }
  }
}
