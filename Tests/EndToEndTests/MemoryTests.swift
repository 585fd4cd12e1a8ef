import JSONText
import RenderModel
import Testing

/// What a job is estimated to need, against what its process needed at most.
@Suite("Memory")
struct MemoryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var filters: [FilterStep]
    /// As a record has them.
    var json: String
    /// Of the extra memory that is estimated, what must at least be needed: else it is no estimate.
    var least: Double
  }

  private static func step(
    _ name: String, opacity: Double = 1, _ numbers: KeyValuePairs<String, Double>
  ) -> FilterStep {
    FilterStep(
      name: name, version: 1,
      parameters: numbers.map { .init(name: $0.key, value: .number($0.value)) }, opacity: opacity)
  }

  static let cases = [
    Case(
      testDescription: "sharpen with a large radius",
      filters: [step("sharpen", ["amount": 1, "radius": 100])],
      json: #"{"filter": "sharpen", "amount": 1, "radius": 100}"#, least: 0.3),
    Case(
      testDescription: "noise reduction with the largest windows",
      filters: [step("noiseReduction", ["luminance": 0.5, "colour": 0.5, "radius": 16])],
      json: #"{"filter": "noiseReduction", "luminance": 0.5, "colour": 0.5, "radius": 16}"#,
      least: 0.3),
    Case(
      testDescription: "a wide blur of half opacity",
      filters: [step("blur", opacity: 0.5, ["radius": 100])],
      json: #"{"filter": "blur", "radius": 100, "opacity": 0.5}"#, least: 0.3),
    Case(
      testDescription: "a turn after a blur",
      filters: [step("blur", ["radius": 20]), step("straighten", ["degrees": 2])],
      json: #"{"filter": "blur", "radius": 20}, {"filter": "straighten", "degrees": 2}"#,
      least: 0.3),
    Case(
      testDescription: "a HaldCLUT of level 16",
      filters: [
        FilterStep(
          name: "lut3d", version: 1, parameters: [.init(name: "path", value: .file("hald.png"))])
      ],
      json: #"{"filter": "lut3d", "path": "hald.png"}"#, least: 0.4),
  ]

  private static let (width, height) = (5000, 500)

  private static func estimate(_ filters: [FilterStep]) -> Int {
    MemoryEstimate.bytes(
      header: AssetHeader(type: .png, width: width, height: height),
      plan: RenderPlan(filters: filters, renditions: [Rendition(name: "full", type: .png)]))
  }

  @Test("a job needs no more than is estimated, and not much less", arguments: cases)
  func estimated(_ item: Case) throws {
    let scene = try RenderScene()
    try scene.draw("a.png", width: Self.width, height: Self.height)
    if item.json.contains("hald.png") {
      try scene.folder.write("library/hald.png", Self.hald)
    }
    let record = """
      {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
       "data": {"filters": [\(item.json)]}}
      """
    try scene.write(
      jobs: [
        #"{"id": "plain", "asset": "a.png", "adjustment": "none"}"#,
        #"{"id": "filtered", "asset": "a.png", "adjustment": \#(record)}"#,
      ],
      defaults: """
        {"renditions": [{"name": "full", "type": "public.png"}], "output": "{job}.{extension}"}
        """)
    let end = try scene.render()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    let reports = try scene.lastRun().reports
    let plain = try #require(reports["plain"]?["peakMemory"]?.number?.integer)
    let filtered = try #require(reports["filtered"]?["peakMemory"]?.number?.integer)
    let estimate = Self.estimate(item.filters)
    let extra = estimate - Self.estimate([])
    let shown = "needed \(plain >> 20) and \(filtered >> 20) MiB, estimated \(extra >> 20) more"
    #expect(filtered <= estimate, "\(shown)")
    // Strips of working pixels are in both estimates, and nearly nothing of them in the plain job.
    #expect(filtered - plain <= extra + Self.width * 256 * 16, "\(shown)")
    #expect(Double(filtered - plain) >= item.least * Double(extra), "\(shown)")
  }

  /// The identity of 256 points a side: red fastest, then green, then blue.
  private static let hald = Drawing.png(width: 4096, height: 4096) { x, y in
    let place = y << 12 | x
    return [UInt8(place & 255), UInt8(place >> 8 & 255), UInt8(place >> 16)]
  }
}
