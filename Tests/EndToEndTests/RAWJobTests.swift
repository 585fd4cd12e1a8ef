import JSONText
import Testing

/// RAW through the real programs, in the sealed process.
@Suite("RAW jobs")
struct RAWJobTests {
  /// A DNG of linear data that is grey all over, from a camera that sees as sRGB does.
  private static func dng(cutBy count: Int = 0) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let (width, height) = (48, 32)
    // XYZ to linear sRGB, in ten-thousandths.
    let matrix = [32_410, -15_374, -4986, -9692, 18_760, 416, 556, -2040, 10_570]
    var far: [Int: [UInt8]] = [:]
    far[0xC621] = matrix.flatMap { little($0, 4) + little(10_000, 4) }
    far[0xC628] = [1, 1, 1].flatMap { little($0, 4) + little(1, 4) }
    far[0x0102] = [16, 16, 16].flatMap { little($0, 2) }
    far[0xC614] = Array("Minilab Test".utf8) + [0, 0]
    var entries: [(Int, Int, Int, Int)] = [
      (0x00FE, 4, 1, 0), (0x0100, 4, 1, width), (0x0101, 4, 1, height), (0x0102, 3, 3, 0),
      (0x0103, 3, 1, 1), (0x0106, 3, 1, 34_892), (0x0111, 4, 1, 0), (0x0115, 3, 1, 3),
      (0x0116, 4, 1, height), (0x0117, 4, 1, width * height * 6), (0xC612, 1, 4, 0x0401),
      (0xC614, 2, 13, 0), (0xC621, 10, 9, 0), (0xC628, 5, 3, 0), (0xC65A, 3, 1, 21),
    ]
    let start = 8 + 6 + 12 * entries.count
    var tail: [UInt8] = []
    for index in entries.indices {
      guard let bytes = far[entries[index].0] else { continue }
      entries[index].3 = start + tail.count
      tail += bytes
    }
    let sample = little(16_384, 2)
    entries[6].3 = start + tail.count
    var bytes: [UInt8] = Array("II".utf8) + little(42, 2) + little(8, 4) + little(entries.count, 2)
    for (tag, type, count, value) in entries {
      bytes += little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    bytes += little(0, 4) + tail
    for _ in 0..<(width * height * 3) { bytes += sample }
    return Array(bytes.dropLast(count))
  }

  @Test("a DNG is developed in the sealed process, and the report says how")
  func developed() throws {
    let scene = try RenderScene()
    try scene.folder.write("library/a.dng", Self.dng())
    try scene.write(assets: ["a.dng"])
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(end.outputText)\(end.errorText)")
    let report = try #require(try scene.lastReports()["a.dng"])
    #expect(report["asset"]?["type"]?.string == "com.adobe.dng-image")
    #expect(report["asset"]?["width"]?.number?.integer == 48)
    #expect(report["engine"]?["libraw"]?.string?.isEmpty == false)
    let notes = (report["notes"]?.array ?? []).compactMap(\.string)
    #expect(notes.contains { $0.contains("LibRaw") && $0.contains("white balance as shot") })
    let picture = try PNGPicture(try scene.folder.read("out/a.full.png"))
    // A quarter of full light, by the curve of IEC 61966-2-1: 137 of 255.
    for (x, y) in [(3, 3), (24, 16), (44, 28)] {
      #expect(picture.pixel(x, y).allSatisfy { abs($0 - 137) <= 1 })
    }
  }

  @Test("a cut-off DNG is named and not published, and rawSource is part of what is asked for")
  func refused() throws {
    let scene = try RenderScene()
    try scene.folder.write("library/a.dng", Self.dng(cutBy: 100))
    try scene.folder.write("library/b.dng", Self.dng())
    try scene.write(
      jobs: [#"{"asset": "a.dng"}"#, #"{"asset": "b.dng", "rawSource": "embeddedPreview"}"#])
    let end = try scene.render()
    #expect(end.exitStatus == 3)
    let reports = try scene.lastReports()
    #expect(reports["a.dng"]?.outcome == "failed(truncated)")
    #expect(reports["b.dng"]?.outcome == "failed(unsupportedType)")
    #expect(try scene.outputs() == [])
  }
}
