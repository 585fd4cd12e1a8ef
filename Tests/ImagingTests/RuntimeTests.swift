import Testing

@testable import Imaging

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
      let names = try MappedFiles.paths().compactMap { $0.split(separator: "/").last }
      #expect(names.contains { $0.hasPrefix("libvips.so") })
      let loaded = Set(names.filter { $0.hasPrefix("vips-") && $0.hasSuffix(".so") })
      // Where libvips has its formats built in, there is none.
      #expect(loaded.isSubset(of: ["vips-heif.so"]))
    }

    @Test("the library can be told how many rows its buffers hold")
    func bufferRows() throws {
      _ = try ImagingRuntime.start()
      #expect(ImagingRuntime.setBufferRows(tile: 16, strip: 8))
      #expect(ImagingRuntime.setBufferRows(tile: 128, strip: 16))
    }
  }
}
