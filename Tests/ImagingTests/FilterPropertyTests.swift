import Adjustments
import Imaging
import JSONText
import RenderModel
import Testing

extension ImagingTests {
  /// What is promised of every filter of the catalogue, from file to file in 16 bits.
  @Suite("Properties of every filter")
  struct FilterProperties {
    static let filters = FilterCatalogue.filters
    static let deep = Rendition(name: "r", type: .png, bitDepth: 16)

    /// Every hue from dark to light beside noise, in a wide space.
    static let picture = {
      var picture = Drawing.deepPicture(96, 64) { x, y, band in
        let phase = (x * 6 / 96 + [0, 2, 4][band]) % 6
        let wave = [15, 15, 15 - x % 16, 0, 0, x % 16][phase]
        return y < 48 ? wave * y * 90 : (x * 7919 + y * 104_729 + band * 1_299_709) % 65_536
      }
      picture.profile = EmbeddedProfile.displayP3
      return picture
    }()

    private static func steps(_ filter: String) throws -> [FilterStep] {
      let data = try JSONParser.parse(Array(#"{"filters": [\#(filter)]}"#.utf8)).value
      let decoded = AdjustmentDecoding.decode(
        identifier: AdjustmentRecord.nativeIdentifier, version: "1.0", data: data)
      guard case .filters(let steps) = decoded else {
        Issue.record("\(filter): \(decoded)")
        return []
      }
      return steps
    }

    private static func render(
      _ picture: PixelBuffer, _ steps: [FilterStep]
    ) throws -> PixelBuffer {
      try ResourceRender(
        picture.file(.png), [deep], filters: steps,
        resources: Set(steps.flatMap(\.files)).sorted().map { ($0, try FilterDigests.file($0)) }
      ).decoded()
    }

    /// The example of every version that is rendered.
    private static func examples(_ filter: FilterDescription) throws -> [[FilterStep]] {
      try filter.versions.sorted().map { version in
        try steps(
          #require(FilterExamples.record(of: CatalogueEntry(filter), version: version)))
      }
    }

    @Test("every filter is known here")
    func all() {
      #expect(Set(FilterExpectation.all.keys) == Set(Self.filters.map(\.name)))
    }

    @Test("identity parameters give identical pixels", arguments: filters)
    func identity(filter: FilterDescription) throws {
      let expected = try #require(FilterExpectation.all[filter.name])
      let plain = try Self.render(Self.picture, [])
      if filter.name == "flip" {
        let flip = try Self.steps(#"{"filter": "flip"}"#)
        #expect(try Self.render(Self.picture, flip + flip).samples == plain.samples)
        return
      }
      #expect(!expected.identities.isEmpty || filter.identity.hasPrefix("none"))
      for version in filter.versions {
        for members in expected.identities {
          let rest = members.isEmpty ? "" : ", " + members
          let steps = try Self.steps(
            #"{"filter": "\#(filter.name)", "version": \#(version)\#(rest)}"#)
          let result = try Self.render(Self.picture, steps)
          #expect(
            result.size == plain.size && result.samples == plain.samples,
            "version \(version): \(members)")
        }
      }
    }

    @Test("opacity 0 is the original, and the example is not", arguments: filters)
    func transparent(filter: FilterDescription) throws {
      let plain = try Self.render(Self.picture, [])
      for example in try Self.examples(filter) {
        #expect(try Self.render(Self.picture, example).samples != plain.samples)
        guard filter.isBlended else { continue }
        let steps = example.map { step in
          var step = step
          step.opacity = 0
          return step
        }
        #expect(try Self.render(Self.picture, steps).samples == plain.samples)
      }
    }

    /// Greys from black to white, wide enough that filters of surroundings see them change slowly.
    private static let ramp = Drawing.deepPicture(1024, 48) { x, _, _ in 64 * x }

    @Test("ramps stay monotone, and neutral stays neutral where it must", arguments: filters)
    func ramps(filter: FilterDescription) throws {
      let expected = try #require(FilterExpectation.all[filter.name])
      for example in try Self.examples(filter) {
        let result = try Self.render(Self.ramp, example)
        if expected.isNeutral {
          var spread = 0
          for y in stride(from: 0, to: result.size.height, by: 5) {
            for x in 0..<result.size.width {
              let bands = (0..<3).map { result.deep(x, y, $0) }
              spread = max(spread, (bands.max() ?? 0) - (bands.min() ?? 0))
            }
          }
          #expect(spread <= 2, "channels of grey differ by \(spread) of 65535")
        }
        if expected.ramp == .places { continue }
        for band in 0..<3 {
          let values = (0..<1024).map { x in
            expected.ramp == .rises
              ? result.deep(x, 24, band) : 65_535 - result.deep(x, 24, band)
          }
          let fall = zip(values, values.dropFirst()).map { $0 - $1 }.max() ?? 0
          #expect(fall <= 1, "band \(band) goes back by \(fall) of 65535")
          #expect((values.last ?? 0) > (values.first ?? 0) + 20_000)
        }
      }
    }
  }
}
