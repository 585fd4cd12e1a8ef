import ColourEngine
import Imaging
import RenderModel
import Testing

/// Crops and turns of pictures whose every pixel is known, against pixels moved one by one.
extension ImagingTests {
  @Suite("Geometry")
  struct Geometry {
    static let width = 23
    static let height = 14

    /// A picture whose pixel (x, y) is (10 x, 10 y, 77).
    static func indexed() -> PixelBuffer {
      Drawing.picture(width, height) { x, y, band in [10 * x, 10 * y, 77][band] }
    }

    /// The picture as a viewer shows it, as rows of (x, y) of the stored picture.
    static func displayed(_ orientation: Int) -> [[[Int]]] {
      let swaps = orientation >= 5
      let columns = swaps ? height : width
      var rows = [[[Int]]](
        repeating: [[Int]](repeating: [], count: columns), count: swaps ? width : height)
      for x in 0..<width {
        for y in 0..<height {
          let (u, v) = OrientationTests.shown(orientation, x, y, width, height)
          rows[v][u] = [10 * x, 10 * y, 77]
        }
      }
      return rows
    }

    static func rows(_ picture: PixelBuffer) -> [[[Int]]] {
      (0..<picture.size.height).map { y in (0..<picture.size.width).map { picture.pixel($0, y) } }
    }

    static func render(_ orientation: Int, _ filters: [FilterStep]) throws -> PixelBuffer {
      var drawing = indexed()
      drawing.orientation = orientation
      let rendition = Rendition(name: "r", type: .png)
      return try Render(drawing.file(.tiff), [rendition], filters: filters).decoded()
    }

    @Test("EXIF is applied once and its tag reset", arguments: 1...8)
    func exif(orientation: Int) throws {
      let picture = try Self.render(orientation, [])
      #expect(Self.rows(picture) == Self.displayed(orientation))
      #expect(picture.orientation == 1)
    }

    @Test("orient comes after EXIF", arguments: 1...8, 1...8)
    func orient(exif: Int, filter: Int) throws {
      let picture = try Self.render(exif, [.orient(filter)])
      let shown = Self.displayed(exif)
      let (width, height) = (shown[0].count, shown.count)
      for u in 0..<width {
        for v in 0..<height {
          let (s, t) = OrientationTests.shown(filter, u, v, width, height)
          #expect(picture.pixel(s, t) == shown[v][u])
        }
      }
    }

    @Test("a crop counts in what is seen", arguments: 1...8)
    func crop(orientation: Int) throws {
      let picture = try Self.render(orientation, [.crop(3, 2, 7, 5, unit: "pixel")])
      let shown = Self.displayed(orientation)
      #expect(Self.rows(picture) == shown[2..<7].map { Array($0[3..<10]) })
    }

    @Test("a crop of the stored frame counts in what is stored", arguments: 1...8)
    func storedCrop(orientation: Int) throws {
      let picture = try Self.render(
        orientation, [.crop(3, 2, 7, 5, unit: "pixel", frame: "stored")])
      var seen: Set<[Int]> = []
      for row in Self.rows(picture) { seen.formUnion(row) }
      var wanted: Set<[Int]> = []
      for x in 3..<10 { for y in 2..<7 { wanted.insert([10 * x, 10 * y, 77]) } }
      #expect(seen == wanted)
      #expect(picture.size.width == (orientation >= 5 ? 5 : 7))
    }

    @Test("crops and turns take effect in their order", arguments: 1...8)
    func sequence(orientation: Int) throws {
      let picture = try Self.render(
        orientation,
        [
          .crop(1, 1, 12, 10, unit: "pixel"), .orient(6), .crop(2, 3, 5, 6, unit: "pixel"),
          .orient(2),
        ])
      let first = Self.displayed(orientation)[1..<11].map { Array($0[1..<13]) }
      // Turned clockwise: the row v, column u comes from the row 9 - u, column v.
      let second = (0..<12).map { v in (0..<10).map { u in first[9 - u][v] } }
      let third = second[3..<9].map { Array($0[2..<7].reversed()) }
      #expect(Self.rows(picture) == third)
    }

    @Test("fractions round both edges, halves up")
    func fractions() throws {
      // 23 columns: 0.25 is 5.75 and 0.5 more ends at 17.25; 14 rows: 0.25 is 3.5, 0.75 is 10.5.
      let picture = try Self.render(1, [.crop(0.25, 0.25, 0.5, 0.5)])
      #expect(picture.size == PixelSize(width: 11, height: 7))
      #expect(picture.pixel(0, 0) == [60, 40, 77])
    }

    @Test("what lies outside is cut off; the rest is kept")
    func outside() throws {
      let picture = try Self.render(1, [.crop(-5, 10, 10, 100, unit: "pixel")])
      #expect(picture.size == PixelSize(width: 5, height: 4))
      #expect(picture.pixel(0, 0) == [0, 100, 77])
    }

    @Test(
      "a crop that leaves nothing is an invalid adjustment",
      arguments: [
        FilterStep.crop(1.5, 0, 0.5, 1), .crop(0, 0, 0, 1), .crop(0, -2, 1, 1),
        .crop(.nan, 0, 1, 1), .crop(0, 0, -0.5, 1), .crop(0, .infinity, 1, 1),
        FilterStep(name: "crop", version: 1, parameters: []),
        FilterStep(name: "unheardOf", version: 1, parameters: []), .orient(9), .straighten(.nan),
        .straighten(120),
      ])
    func nothing(step: FilterStep) throws {
      let failure = #expect(throws: RenderFailure.self) { try Self.render(1, [step]) }
      #expect(failure?.code == .invalidAdjustment)
      #expect(failure?.detail.contains(step.name) == true)
    }

    @Test("a filled target shows the middle", arguments: 1...8)
    func fill(orientation: Int) throws {
      var drawing = Self.indexed()
      drawing.orientation = orientation
      let rendition = Rendition(
        name: "r", type: .png, targetSize: .init(width: 14, height: 14), contentMode: .aspectFill)
      let picture = try Render(drawing.file(.tiff), [rendition]).decoded()
      let shown = Self.displayed(orientation)
      #expect(picture.size == PixelSize(width: 14, height: 14))
      let left = (shown[0].count - 14) / 2
      let top = (shown.count - 14) / 2
      #expect(Self.rows(picture) == shown[top..<top + 14].map { Array($0[left..<left + 14]) })
    }
  }
}

extension FilterStep: CustomTestStringConvertible {
  package var testDescription: String { "\(name) \(parameters.map(\.value))" }
}
