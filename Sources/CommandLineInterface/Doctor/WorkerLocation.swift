import Glibc

/// Where the program that renders is looked for.
package enum WorkerLocation {
  package static let name = "minilab-worker"

  /// In order: beside the program, given by its full path, then where packages put programs of programs.
  package static func candidates(program: String) -> [String] {
    let folder = parent(of: program)
    return ["\(folder)/\(name)", "\(parent(of: folder))/libexec/minilab/\(name)"]
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// The first candidate that can be started; nil when there is none.
  package static func find(
    program: String, isExecutable: (String) -> Bool = { unsafe access($0, X_OK) == 0 }
  ) -> String? {
    candidates(program: program).first(where: isExecutable)
  }

  /// The path of this very program; nil when `/proc` is not mounted.
  package static func runningProgram() -> String? {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
