import Glibc
import Testing

@testable import Imaging

/// What is left behind may be missed by nobody: held on the symbols of what this process has loaded.
@Suite("Libraries that are left behind", .serialized)
struct UnusedLibrariesTests {
  /// Those of which only parts run, none of which leads to a library that is left behind.
  private static let partlyUsed = ["libvips", "libharfbuzz", "libicuuc", "librsvg-2"]

  @Test("most of the names are those of libraries that are really there")
  func namesAreFound() throws {
    let files = try loaded().map(\.file)
    let found = UnusedLibraries.names.filter { name in
      files.contains { isCalled($0, name) }
    }
    #expect(found.count * 10 >= UnusedLibraries.names.count * 8, "\(found.count) are there")
    #expect(Set(UnusedLibraries.names).count == UnusedLibraries.names.count)
  }

  @Test("no library that a job uses takes a symbol from one that is left behind")
  func nothingIsMissed() throws {
    let libraries = try loaded()
    let behind = libraries.filter { library in
      UnusedLibraries.names.contains { isCalled(library.file, $0) }
    }
    let kept = libraries.filter { library in !behind.contains { $0.path == library.path } }
    try #require(!behind.isEmpty && !kept.isEmpty)
    let offered = behind.reduce(into: Set<String>()) { $0.formUnion($1.defined) }
    let own = kept.reduce(into: Set<String>()) { $0.formUnion($1.defined) }
    for library in kept where !Self.partlyUsed.contains(where: { isCalled(library.file, $0) }) {
      let missed = library.wanted.intersection(offered).subtracting(own)
      #expect(missed.isEmpty, "\(library.file) wants \(missed.sorted().prefix(5))")
      // Of what several libraries define, such as instances of C++ templates, the first is used by all.
      let shared = library.shareable.intersection(offered)
      #expect(shared.isEmpty, "\(library.file) may be given \(shared.sorted().prefix(5))")
    }
  }

  private struct Library {
    var path: String
    var file: String
    var defined: Set<String> = []
    var wanted: Set<String> = []
    var shareable: Set<String> = []
  }

  /// The libraries that are mapped here, libvips and its module for HEIF among them.
  private func loaded() throws -> [Library] {
    _ = try ImagingRuntime.start()
    return try MappedFiles.paths().filter { $0.contains(".so") }.sorted().map { path in
      var library = Library(path: path, file: String(path.split(separator: "/").last ?? ""))
      for line in try #require(lines(of: "nm -D '\(path)'"), "nm of binutils is needed") {
        let words = line.split(separator: " ")
        guard words.count >= 2, let kind = words[words.count - 2].first,
          let name = words.last?.split(separator: "@").first.map(String.init)
        else { continue }
        switch kind {
        case "U", "w", "v": library.wanted.insert(name)
        default: library.defined.insert(name)
        }
        if kind == "W" || kind == "V" || kind == "u" { library.shareable.insert(name) }
      }
      return library
    }
  }

  private func isCalled(_ file: String, _ name: String) -> Bool { file.hasPrefix("\(name).so") }

  /// nil when the command fails.
  private func lines(of command: String) -> [String]? {
    guard let stream = unsafe popen("\(command) 2>/dev/null", "r") else { return nil }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&piece, 1, piece.count, stream)
      if count == 0 { break }
      text += piece[..<count]
    }
    guard unsafe pclose(stream) == 0 else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
