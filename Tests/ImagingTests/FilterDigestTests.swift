import Adjustments
import Digest
import FoundationEssentials
import Glibc
import Imaging
import JSONText
import RenderModel
import Testing

extension ImagingTests {
  /// A filter's version can't be forgotten: the pixels of every filter and version are on record.
  @Suite("Filter digests")
  struct FilterDigests {
    static let path =
      "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
      + "/Reference/filter-digests.json"

    /// Set to 1, the digests are written anew instead of being compared.
    static let variable = "MINILAB_RECORD_DIGESTS"

    @Test("no filter's pixels change under an unchanged version")
    func digests() throws {
      let found = try Dictionary(
        uniqueKeysWithValues: FilterCatalogue.filters.flatMap { filter in
          try filter.versions.flatMap { version in
            let name = "\(filter.name)@\(version)"
            return [
              (name, try Self.digest(of: filter, version, in: nil)),
              ("\(name) wide", try Self.digest(of: filter, version, in: EmbeddedProfile.displayP3)),
            ]
          }
        })
      if ProcessInfo.processInfo.environment[Self.variable] == "1" {
        try Self.write(found)
        print("\(Self.path) was written; look at what changed before it is committed.")
        return
      }
      let bytes = try #require(FileManager.default.contents(atPath: Self.path))
      let members = try #require(try JSONParser.parse([UInt8](bytes)).value.object)
      let recorded = Dictionary(
        uniqueKeysWithValues: members.map { ($0.key, $0.value.string ?? "") })
      for (name, digest) in found.sorted(by: { $0.key < $1.key }) {
        let known = try #require(
          recorded[name],
          "\(name) is not on record; add it: \(Self.variable)=1 swift test --filter FilterDigests")
        #expect(
          digest == known,
          """
          \(name) gives other pixels than the ones on record. If that is meant, raise its version in \
          FilterCatalogue and record it: \(Self.variable)=1 swift test --filter FilterDigests
          """)
      }
      for name in recorded.keys where found[name] == nil {
        Issue.record(
          "\(name) is on record and not in the catalogue; retired versions are taken out")
      }
    }

    private static func write(_ digests: [String: String]) throws {
      let lines = digests.sorted { $0.key < $1.key }.map {
        "  \(JSONEscaping.literal($0.key)): \(JSONEscaping.literal($0.value))"
      }
      let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
      try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// SHA-256 of the upper 12 of 16 bits of every sample of the filter's example on a drawn picture.
    ///
    /// With a profile of a wide space the picture has colours outside sRGB, and keeps its space.
    /// Fewer bits than are rendered, so that another rounding of the last one is no change.
    private static func digest(
      of filter: FilterDescription, _ version: Int, in profile: [UInt8]?
    ) throws -> String {
      let example = try #require(
        FilterExamples.record(of: CatalogueEntry(filter), version: version))
      let data = try JSONParser.parse(Array(#"{"filters": [\#(example)]}"#.utf8)).value
      let decoded = AdjustmentDecoding.decode(
        identifier: AdjustmentRecord.nativeIdentifier, version: "1.0", data: data)
      guard case .filters(let steps) = decoded else {
        Issue.record("\(filter.name): \(decoded)")
        return ""
      }
      let files = try steps.flatMap(\.files).map(Self.file)
      var picture = picture
      picture.profile = profile
      let source = try picture.file(.png)
      let output = try TemporaryFile()
      let plan = RenderPlan(
        filters: steps, renditions: [Rendition(name: "r", type: .png, bitDepth: 16)],
        resources: steps.flatMap(\.files))
      _ = try withExtendedLifetime((files, source)) {
        try source.opened().get().render(
          plan, outputs: [output.descriptor], resources: files.map(\.descriptor)
        ).get()
      }
      let result = try output.decoded()
      var kept: [UInt8] = Array("\(result.size.width) x \(result.size.height) \n".utf8)
      for offset in stride(from: 0, to: result.samples.count, by: 2) {
        kept += [result.samples[offset] & 0xF0, result.samples[offset + 1]]
      }
      return SHA256Value.of(kept).hex
    }

    /// Every hue in every lightness, smooth ramps, edges and a pattern; 16 bits a sample.
    private static let picture = Drawing.deepPicture(192, 128) { x, y, band in
      if y < 64 {
        let phase = (x * 6 / 192 + [0, 2, 4][band]) % 6
        let part = x % 32
        let wave = [31, 31, 31 - part, 0, 0, part][phase]
        return wave * y * 33
      }
      if y < 96 { return x * 341 }
      return ((x / 8 + y / 8) % 2 == 0 ? 48_000 : 12_000) + (x * 37 + y * 91 + band * 53) % 64 * 100
    }

    /// What the examples read: a mark with soft edges, or a table.
    static func file(_ name: String) throws -> TemporaryFile {
      guard name.hasSuffix(".cube") else {
        return try Drawing.picture(24, 12, bands: 4) { x, y, band in
          band == 3 ? x * 10 : 255 - y * 20
        }.file(.png)
      }
      var text = "LUT_3D_SIZE 3\n"
      for index in 0..<27 {
        let (red, green, blue) = (index % 3, index / 3 % 3, index / 9)
        text += "\(Double(red) * 0.48) \(Double(green) * 0.45 + 0.05) \(Double(blue) * 0.4)\n"
      }
      return try TemporaryFile(Array(text.utf8))
    }
  }
}
