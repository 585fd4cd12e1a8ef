import Glibc
import Imaging
import Testing

extension ImagingTests {
  @Suite("Runtime")
  struct Runtime {
    @Test("starting again gives the same versions, that of libvips among them")
    func versions() throws {
      let first = try ImagingRuntime.start()
      let second = try ImagingRuntime.start()
      #expect(first == second)
      let parts = try #require(first["libvips"]).split(separator: ".")
      #expect(parts.count == 3)
      #expect((parts.first.flatMap { Int($0) } ?? 0) >= 8)
      for (name, version) in first {
        #expect(version.first?.isNumber == true, "\(name) \(version)")
      }
    }

    @Test("of the modules of libvips only those of formats that are rendered are in memory")
    func modules() throws {
      _ = try ImagingRuntime.start()
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
      let words = String(decoding: text, as: UTF8.self).split {
        $0.isWhitespace || $0 == "/"
      }
      #expect(words.contains { $0.hasPrefix("libvips.so") })
      let loaded = Set(words.filter { $0.hasPrefix("vips-") && $0.hasSuffix(".so") })
      // Where libvips has its formats built in, there is none.
      #expect(loaded.isSubset(of: ["vips-heif.so"]))
    }
  }
}
