import Glibc
import RenderModel
import Testing

@testable import Imaging

extension ImagingTests {
  @Suite("Claims about outputs")
  struct OutputCheckTests {
    static let types: [UniformType] = [.jpeg, .png, .webP, .tiff, .avif, .heic, .jpegXL]

    private func render(_ type: UniformType) throws -> Render {
      try Render(Drawing.scene(120, 80).file(.png), [Rendition(name: "r", type: type)])
    }

    private func failure(
      _ render: Render, _ claims: [RenderResult.Output]? = nil, decoding: Bool = false
    ) -> RenderFailure? {
      withExtendedLifetime(render.files) {
        OutputCheck.failure(
          of: claims ?? render.result.outputs, in: render.files.map(\.descriptor),
          decoding: decoding)
      }
    }

    @Test("what is claimed rightly passes, decoded or not", arguments: types)
    func right(type: UniformType) throws {
      let render = try render(type)
      #expect(failure(render) == nil)
      #expect(failure(render, decoding: true) == nil)
    }

    @Test("every wrong claim is found and named", arguments: types)
    func wrong(type: UniformType) throws {
      let render = try render(type)
      func words(_ change: (inout RenderResult.Output) -> Void) -> String? {
        var claims = render.result.outputs
        change(&claims[0])
        let failure = failure(render, claims)
        #expect(failure == nil || failure?.stage == .verify && failure?.code == .internal)
        return failure?.detail
      }
      #expect(words { $0.width += 1 }?.contains("120 x 80 pixels instead of 121 x 80") == true)
      #expect(words { $0.height -= 1 }?.contains("instead of 120 x 79") == true)
      #expect(words { $0.bitDepth = 12 }?.contains("instead of 12") == true)
      #expect(words { $0.bytes += 1 }?.contains("has another size") == true)
      #expect(words { $0.type = .gif }?.contains("the encoded rendition r is") == true)
      if type != .jpegXL {
        #expect(words { $0.profileDigest = "00" }?.contains("another profile") == true)
      }
      #expect(failure(render, [])?.detail == "not every rendition was delivered")
    }

    @Test("an output without its end is found by decoding it", arguments: types)
    func cut(type: UniformType) throws {
      let render = try render(type)
      var claims = render.result.outputs
      claims[0].bytes = claims[0].bytes / 3 * 2
      #expect(ftruncate(render.files[0].descriptor, off_t(claims[0].bytes)) == 0)
      #expect(failure(render, claims, decoding: true) != nil)
    }
  }
}
