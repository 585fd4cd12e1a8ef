import RenderModel
import Testing

@Suite("Memory estimate")
struct MemoryEstimateTests {
  static func header(
    _ width: Int, _ height: Int, type: UniformType = .jpeg, whole: Bool = false
  ) -> AssetHeader {
    AssetHeader(type: type, width: width, height: height, needsWholePicture: whole)
  }

  static let preview = Rendition(name: "p", targetSize: .init(width: 2048, height: 2048))

  static func estimate(
    _ header: AssetHeader, _ renditions: [Rendition] = [preview], filters: [FilterStep] = []
  ) -> Int {
    MemoryEstimate.bytes(
      header: header, plan: RenderPlan(filters: filters, renditions: renditions))
  }

  @Test("a picture that streams costs little more than the base, however tall it is")
  func streams() {
    let small = Self.estimate(Self.header(4000, 3000))
    let tall = Self.estimate(Self.header(4000, 60_000))
    #expect(small > MemoryEstimate.base)
    #expect(tall - small < 1 << 20)
  }

  @Test("what has to be held whole is counted whole")
  func whole() {
    let plain = Self.estimate(Self.header(4000, 3000))
    let stored = 4000 * 3000 * 3
    #expect(Self.estimate(Self.header(4000, 3000, whole: true)) >= plain + stored)
    #expect(Self.estimate(Self.header(4000, 3000), [Self.preview, Self.preview]) >= plain + stored)
    let turn = FilterStep(name: "straighten", version: 1, parameters: [])
    #expect(Self.estimate(Self.header(4000, 3000), filters: [turn]) >= plain + stored)
  }

  @Test("sensor data, four samples a pixel, and a second copy of linear ones have room")
  func raw() {
    let header = Self.header(6000, 4000, type: .dng, whole: true)
    let streamed = Self.estimate(Self.header(6000, 4000))
    #expect(Self.estimate(header) - streamed >= 6000 * 4000 * 18)
  }

  @Test("dearer encoders are counted dearer")
  func encoders() {
    let header = Self.header(4000, 3000)
    let jpeg = Self.estimate(header, [Rendition(name: "r")])
    let webP = Self.estimate(header, [Rendition(name: "r", type: .webP)])
    let avif = Self.estimate(header, [Rendition(name: "r", type: .avif)])
    #expect(jpeg < webP)
    #expect(webP < avif)
    let jpegXL = Self.estimate(header, [Rendition(name: "r", type: .jpegXL)])
    #expect(avif < jpegXL)
    let progressive = Rendition(
      name: "r", options: OutputOptions([.progressive: .flag(true)]))
    #expect(Self.estimate(header, [progressive]) > jpeg)
  }

  @Test("a picture that is encoded again and again is counted once more")
  func searched() {
    let header = Self.header(4000, 3000)
    let plain = Self.estimate(header, [Rendition(name: "r")])
    let limited = Rendition(name: "r", options: OutputOptions([.maxBytes: .number(100_000)]))
    #expect(Self.estimate(header, [limited]) >= plain + 4000 * 3000 * 3)
  }

  @Test("absurd sizes saturate instead of trapping")
  func absurd() {
    let plan = [
      Rendition(
        name: "r", type: .avif, targetSize: .init(width: .max, height: .max), enlarge: true)
    ]
    #expect(Self.estimate(Self.header(.max, .max, whole: true), plan) == .max)
  }
}
