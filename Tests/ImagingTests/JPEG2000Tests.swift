import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("JPEG 2000")
  struct JPEG2000Files {
    static let kinds: [(name: String, bytes: [UInt8])] = [
      ("colour", CodedJPEG2000.colour), ("codestream", CodedJPEG2000.codestream),
      ("opacity", CodedJPEG2000.opacity), ("tiles", CodedJPEG2000.tiles),
    ]

    @Test("lossless samples come out as they were drawn", arguments: kinds)
    func exact(name: String, bytes: [UInt8]) throws {
      let file = try TemporaryFile(bytes)
      #expect(try file.opened().get().header.type == .jpeg2000)
      let picture = try Render(file, [Rendition(name: "r", type: .png)]).decoded()
      #expect(picture.size == PixelSize(width: 32, height: 20))
      #expect(picture.bands == (name == "opacity" ? 4 : 3))
      for (x, y) in [(0, 0), (20, 7), (31, 19), (16, 16)] where name != "opacity" || x >= 16 {
        #expect(Array(picture.pixel(x, y).prefix(3)) == [60 + 4 * x, 60 + 6 * y, 128], "\(name)")
      }
      if name == "opacity" { #expect(picture[3, 3, 3] == 0 && picture[20, 3, 3] == 255) }
    }

    @Test("sixteen bits stay")
    func deep() throws {
      let rendition = Rendition(name: "r", type: .png, bitDepth: 16)
      let picture = try Render(TemporaryFile(CodedJPEG2000.deepGrey), [rendition]).decoded()
      for x in 0..<32 { #expect(abs(picture.deep(x, 9, 0) - 2000 * x) <= 1) }
    }

    @Test("what is cut off is no success", arguments: [1, 2, 3, 10, 60, 150, 250])
    func cutOff(missing: Int) throws {
      for bytes in [CodedJPEG2000.colour, CodedJPEG2000.codestream, CodedJPEG2000.tiles]
      where bytes.count > missing + 20 {
        let file = try TemporaryFile(Array(bytes.dropLast(missing)))
        let failure = #expect(throws: RenderFailure.self) {
          try Render(file, [Rendition(name: "r", type: .png)])
        }
        #expect([.truncated, .unreadable].contains(failure?.code), "\(failure?.detail ?? "")")
      }
    }
  }
}
