import RenderModel
import Testing

@testable import Imaging

extension ImagingTests {
  /// Containers whose numbers are there to do harm; each must end as a result, and soon.
  @Suite("Hostile containers")
  struct HostileContainers {
    /// The drawing's bytes with another number in an entry of the first directory.
    private func patched(_ drawing: TIFFDrawing, tag: Int, to value: Int) -> [UInt8] {
      var bytes = drawing.bytes
      func number(_ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
      }
      let directory = number(4, 4)
      for index in 0..<number(directory, 2) where number(directory + 2 + 12 * index, 2) == tag {
        let entry = directory + 2 + 12 * index
        let field = [4, 0, 1, 0, 0, 0] + (0..<4).map { UInt8(value >> (8 * $0) & 255) }
        bytes.replaceSubrange((entry + 2)..<(entry + 12), with: field)
      }
      return bytes
    }

    @Test("sides that libvips silently cuts to one pixel are refused", arguments: [256, 257])
    func hugeTIFF(tag: Int) throws {
      // Of a kind that is put together here, not by the library's loader.
      let drawing = TIFFDrawing(bits: 12, samples: 1, photometric: 1)
      #expect(try HEIFFiles.failure(drawing.bytes) == nil)
      for tolerant in [false, true] {
        let failure = try HEIFFiles.failure(
          patched(drawing, tag: tag, to: 20_000_000), tolerant: tolerant)
        // libtiff itself minds that so many rows have one strip.
        let codes: [FailureCode] = tag == 256 ? [.limitExceeded] : [.limitExceeded, .unreadable]
        #expect(failure.map { codes.contains($0.code) } == true, "\(failure?.detail ?? "rendered")")
      }
    }

    @Test("a HEIF that announces such sides is refused")
    func hugeHEIF() throws {
      var bytes = try HEIFFiles.picture([]).bytes
      let place = try #require(bytes.firstRange(of: Array("ispe".utf8)))
      bytes.replaceSubrange(
        (place.upperBound + 4)..<(place.upperBound + 8), with: HandMade.big(20_000_000, 4))
      #expect(try HEIFFiles.failure(bytes)?.code == .limitExceeded)
    }

    @Test("lengths that overflow when they are added are beyond the end, not a crash")
    func extents() throws {
      let bytes = try HEIFFiles.picture([]).bytes
      let stored = try TemporaryFile(bytes)
      guard let file = FileBytes(descriptor: stored.descriptor, count: bytes.count) else {
        throw TemporaryFile.Failure(errno: 0)
      }
      var container = try HEIFContainer(file)
      container.extents[9] = [
        .init(isInside: false, range: 0..<4), .init(isInside: false, range: 8..<Int.max),
      ]
      #expect(container.data(of: 9, in: file) == nil)
    }

    @Test("places, references and properties without bytes of their own do not fill the memory")
    func repeated() throws {
      let bytes = try HEIFFiles.picture([]).bytes
      let stored = try TemporaryFile(bytes)
      guard let file = FileBytes(descriptor: stored.descriptor, count: bytes.count) else {
        throw TemporaryFile.Failure(errno: 0)
      }
      let valid = try HEIFContainer(file)

      // Two thousand items, each of 65,535 extents that take no bytes of the box.
      var places = [UInt8](repeating: 0, count: 4) + [0, 0] + HandMade.big(2000, 2)
      for item in 1...2000 { places += HandMade.big(item, 2) + [0, 0] + [0xFF, 0xFF] }
      var container = valid
      container.extents = [:]
      container.read(BoxReader([0, 0, 0, 0] + Box.make("iloc", places)))
      #expect(container.extents.values.reduce(0) { $0 + $1.count } <= 2000)

      // A box that announces 65,535 references and has none, ten thousand times.
      var references: [UInt8] = [0, 0, 0, 0]
      for _ in 0..<10_000 { references += Box.make("dimg", [0, 1, 0xFF, 0xFF]) }
      container = valid
      container.read(BoxReader([0, 0, 0, 0] + Box.make("iref", references)))
      #expect(container.references.count == valid.references.count + 10_000)

      // One item with the same property again and again.
      var associations = [UInt8](repeating: 0, count: 4) + HandMade.big(300, 4)
      for _ in 0..<300 { associations += [0, 1, 100] + [UInt8](repeating: 1, count: 100) }
      container = valid
      container.read(
        BoxReader([0, 0, 0, 0] + Box.make("iprp", Box.make("ipma", associations))))
      #expect(container.associations[1, default: []].count <= 255)
    }

    @Test("palettes with signed numbers and Lab of other kinds are refused by name")
    func kinds() throws {
      let map = [Int](repeating: 0, count: 3 * 2)
      let palette = TIFFDrawing(bits: 1, samples: 1, photometric: 3, kind: 2, colourMap: map)
      #expect(try HEIFFiles.failure(palette.bytes)?.code == .unsupportedType)
      for (bits, kind) in [(4, 1), (32, 3), (16, 3)] {
        let lab = TIFFDrawing(bits: bits, samples: 3, photometric: 8, kind: kind)
        let failure = try HEIFFiles.failure(lab.bytes)
        #expect(failure?.code == .unsupportedType)
        #expect(failure?.detail.contains("Lab of \(bits) bits") == true, "\(failure?.detail ?? "")")
      }
    }
  }
}
