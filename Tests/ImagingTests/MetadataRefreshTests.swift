import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Metadata refreshed alone")
  struct MetadataRefreshes {
    static func refresh(
      _ original: TemporaryFile, _ existing: TemporaryFile, _ rendition: Rendition
    ) throws -> (TemporaryFile, Result<RenderResult, RenderFailure>) {
      let picture = try original.opened().get()
      let output = try TemporaryFile()
      let plan = RenderPlan(renditions: [rendition], refreshesMetadata: true)
      let result = picture.refreshMetadata(
        plan, existing: [existing.descriptor], outputs: [output.descriptor])
      return (withExtendedLifetime((original, existing)) { output }, result)
    }

    @Test(
      "a refreshed rendition says what a new one would, around the same compressed pixels",
      arguments: [UniformType.jpeg, .png, .webP, .tiff], Rendition.MetadataPolicy.allCases)
    func refreshed(type: UniformType, policy: Rendition.MetadataPolicy) throws {
      let original = try LadenPhoto.jpeg()
      for first in Rendition.MetadataPolicy.allCases {
        let existing = try MetadataPolicies.render(original, type, first).0
        let wanted = try MetadataPolicies.render(original, type, policy, .strip).0
        let rendition = Rendition(name: "r", type: type, metadata: policy, location: .strip)
        let (file, result) = try Self.refresh(original, existing, rendition)
        let output = try #require(try result.get().outputs.first)
        #expect(output.pixelDigest?.count == 64)
        #expect(output.bytes == file.bytes.count)
        let (found, expected) = try (file.decoded(), wanted.decoded())
        #expect(found.samples == expected.samples)
        #expect(found.profile == expected.profile)
        #expect(found.orientation == 1)
        for name in ["exif-data", "xmp-data", "iptc-data"] {
          #expect(found.metadata[name] == expected.metadata[name], "\(name)")
        }
        #expect(!file.bytes.holds("Berlin"))
        if policy == .strip { #expect(!file.bytes.holds("Ada")) }
        // A second time nothing changes any more.
        let again = try Self.refresh(original, file, rendition)
        #expect(try again.1.get().outputs.first?.pixelDigest == output.pixelDigest)
        #expect(again.0.bytes == file.bytes)
      }
    }

    @Test("the entropy-coded part of a refreshed JPEG is the same, byte for byte")
    func bytes() throws {
      let original = try LadenPhoto.jpeg()
      let existing = try MetadataPolicies.render(original, .jpeg).0
      let (file, _) = try Self.refresh(
        original, existing, Rendition(name: "r", metadata: .strip))
      func pixels(_ bytes: [UInt8]) -> [UInt8] {
        let start = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDB } ?? 0
        return Array(bytes[start...])
      }
      #expect(pixels(file.bytes) == pixels(existing.bytes))
      #expect(file.bytes.count < existing.bytes.count)
    }

    @Test("a type whose metadata cannot be changed alone is refused by name")
    func refusedType() throws {
      let original = try LadenPhoto.jpeg()
      let existing = try MetadataPolicies.render(original, .avif).0
      let (_, result) = try Self.refresh(original, existing, Rendition(name: "r", type: .avif))
      #expect(throws: RenderFailure.self) { try result.get() }
      if case .failure(let failure) = result {
        #expect(failure.code == .invalidJob)
        #expect(failure.detail.contains("public.avif"))
      }
    }

    @Test("a rendition of another size or type, or one that is cut off, is refused")
    func unlike() throws {
      let original = try LadenPhoto.jpeg()
      let small = try MetadataPolicies.render(original, .jpeg, target: .init(width: 20, height: 0))
        .0
      let png = try MetadataPolicies.render(original, .png).0
      let whole = try MetadataPolicies.render(original, .tiff).0.bytes
      let pairs: [(TemporaryFile, UniformType)] = [
        (small, .jpeg), (png, .jpeg), (try TemporaryFile(Array(whole.prefix(2000))), .tiff),
        (try TemporaryFile([]), .webP),
      ]
      for (existing, type) in pairs {
        let (_, result) = try Self.refresh(original, existing, Rendition(name: "r", type: type))
        #expect(throws: RenderFailure.self) { try result.get() }
      }
    }
  }
}
