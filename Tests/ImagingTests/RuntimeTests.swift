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
      let file = try #require(unsafe fopen("/proc/self/maps", "r"))
      defer { unsafe fclose(file) }
      var loaded: Set<String> = []
      var line = [CChar](repeating: 0, count: 8192)
      while unsafe fgets(&line, Int32(line.count), file) != nil {
        let text = String(
          decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "/" })
        where word.hasPrefix("vips-") && word.hasSuffix(".so") {
          loaded.insert(String(word))
        }
      }
      // Where libvips has its formats built in, there is none.
      #expect(loaded.isSubset(of: ["vips-heif.so"]))
    }
  }
}
