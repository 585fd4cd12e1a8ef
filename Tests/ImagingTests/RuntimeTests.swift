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
  }
}
