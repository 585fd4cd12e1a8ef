import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Embedded preview")
  struct RAWPreviewSuite {
    /// A JPEG whose left half is red and whose right half is blue.
    static func jpeg(_ width: Int, _ height: Int, orientation: Int? = nil) throws -> [UInt8] {
      var drawing = Drawing.picture(width, height) { x, _, band in
        band == 1 ? 20 : (x < width / 2) == (band == 0) ? 220 : 20
      }
      drawing.orientation = orientation ?? 1
      let file = try drawing.file(.jpeg)
      return orientation == nil ? Self.withoutEXIF(file.bytes) : file.bytes
    }

    /// Leaves out the application segments 1, as cameras do in previews.
    static func withoutEXIF(_ bytes: [UInt8]) -> [UInt8] {
      var result = Array(bytes.prefix(2))
      var offset = 2
      while offset + 4 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] != 0xDA {
        let length = 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
        if bytes[offset + 1] != 0xE1 { result += bytes[offset..<min(offset + length, bytes.count)] }
        offset += length
      }
      return result + bytes[min(offset, bytes.count)...]
    }

    static func dng(_ preview: [UInt8], orientation: Int = 1) -> HandMadeDNG {
      var dng = RAWReference.chart(.linear)
      dng.preview = preview
      dng.orientation = orientation
      return dng
    }

    static func isRed(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> Bool {
      let seen = picture.fractions(x, y)
      return seen[0] > 0.7 && seen[2] < 0.3
    }

    @Test("the sensor's data is the picture unless the preview is asked for")
    func choice() throws {
      let dng = Self.dng(try Self.jpeg(48, 32))
      let (sensor, result) = try dng.rendered()
      #expect(sensor.size == PixelSize(width: 60, height: 40))
      #expect(result.notes.allSatisfy { !$0.contains("preview") })
      let (preview, chosen) = try dng.rendered(rawSource: .embeddedPreview)
      #expect(preview.size == PixelSize(width: 48, height: 32))
      #expect(Self.isRed(preview, 10, 16))
      #expect(!Self.isRed(preview, 40, 16))
      #expect(chosen.notes.contains { $0.contains("embedded preview of 48 x 32") })
      #expect(chosen.losses.contains("sensorData"))
      let header = try TemporaryFile(dng.bytes).opened(rawSource: .embeddedPreview).get().header
      #expect(header.type == .dng)
      #expect(header.captured == "2021-03-04T05:06:07.25+02:00")
    }

    @Test("a preview that says nothing lies as the RAW lies, and is turned with it")
    func turnedWithTheRAW() throws {
      let (picture, _) = try Self.dng(try Self.jpeg(48, 32), orientation: 6)
        .rendered(rawSource: .embeddedPreview)
      #expect(picture.size == PixelSize(width: 32, height: 48))
      #expect(Self.isRed(picture, 16, 10))
      #expect(!Self.isRed(picture, 16, 40))
    }

    @Test("a preview that lies turned already is left as it is")
    func turnedAlready() throws {
      let (picture, _) = try Self.dng(try Self.jpeg(32, 48), orientation: 6)
        .rendered(rawSource: .embeddedPreview)
      #expect(picture.size == PixelSize(width: 32, height: 48))
      #expect(Self.isRed(picture, 6, 24))
    }

    @Test("a preview's own orientation decides")
    func ownOrientation() throws {
      let (picture, _) = try Self.dng(try Self.jpeg(48, 32, orientation: 3), orientation: 6)
        .rendered(rawSource: .embeddedPreview)
      #expect(picture.size == PixelSize(width: 48, height: 32))
      #expect(Self.isRed(picture, 40, 16))
    }

    @Test("a RAW file without one is refused, and the way out named")
    func without() throws {
      let file = try TemporaryFile(RAWReference.chart(.linear).bytes)
      guard case .failure(let failure) = file.opened(rawSource: .embeddedPreview) else {
        Issue.record("it was opened")
        return
      }
      #expect(failure.code == .unsupportedType)
      #expect(failure.detail.contains("without a JPEG preview"))
    }

    @Test("other pictures do not care")
    func others() throws {
      let file = try Drawing.scene(30, 20).file(.png)
      #expect(throws: Never.self) { try file.opened(rawSource: .embeddedPreview).get() }
    }
  }
}
