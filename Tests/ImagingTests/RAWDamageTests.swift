import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Damaged RAW")
  struct RAWDamage {
    static func failure(_ bytes: [UInt8]) throws -> RenderFailure? {
      do {
        _ = try Render(try TemporaryFile(bytes), [Rendition(name: "r")])
        return nil
      } catch let failure as RenderFailure {
        return failure
      }
    }

    @Test(
      "a file that is cut off never passes as whole", arguments: RAW.sensors, [0.5, 0.9, 0.999])
    func truncated(sensor: HandMadeDNG.Sensor, share: Double) throws {
      let whole = RAWReference.chart(sensor).bytes
      let cut = Array(whole.prefix(Int(Double(whole.count) * share)))
      let failure = try #require(try Self.failure(cut))
      #expect(failure.code == .truncated)
      #expect(failure.detail.contains("a RAW image (DNG)"))
    }

    @Test("one byte less is enough")
    func oneByte() throws {
      let whole = RAWReference.chart(.linear).bytes
      #expect(try Self.failure(Array(whole.dropLast()))?.code == .truncated)
      #expect(try Self.failure(whole) == nil)
    }

    @Test(
      "a tolerant render of a cut-off file goes on and names the damage", arguments: RAW.sensors)
    func tolerant(sensor: HandMadeDNG.Sensor) throws {
      let whole = RAWReference.chart(sensor).bytes
      let file = try TemporaryFile(Array(whole.dropLast(1000)))
      let render = try Render(
        file, [Rendition(name: "r", type: .png, colorSpace: .sRGB)], tolerant: true)
      #expect(!render.result.damage.isEmpty)
      let grey = try render.decoded().fractions(10, 10)
      #expect(grey.allSatisfy { abs($0 - StandardRGB.encode(0.18)) < 0.01 })
    }

    @Test("a header alone is refused, cut off or not known", arguments: [64, 200, 400, 700])
    func headers(length: Int) throws {
      let failure = try #require(
        try Self.failure(Array(RAWReference.chart(.linear).bytes.prefix(length))))
      #expect([.truncated, .unsupportedType, .unreadable].contains(failure.code))
    }

    @Test(
      "makers' files that LibRaw cannot open are refused by their names",
      arguments: ContentTypeTests.cases.filter { $0.type == .rawImage || $0.type == .dng })
    func unknown(each: ContentTypeTests.Case) throws {
      let failure = try #require(try Self.failure(each.bytes))
      #expect([.unsupportedType, .truncated, .unreadable].contains(failure.code))
      #expect(failure.detail.contains(ContentType(each.bytes).name))
    }
  }
}
