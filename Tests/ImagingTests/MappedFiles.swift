import Glibc
import Testing

/// The files that are mapped into the test's own process, libraries among them.
enum MappedFiles {
  static func paths() throws -> Set<String> {
    // The file has no size, so it is read in pieces.
    let file = unsafe open("/proc/self/maps", O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(file, &piece, piece.count)
      if count <= 0 { break }
      text += piece[..<count]
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    return Set(lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } })
  }
}
