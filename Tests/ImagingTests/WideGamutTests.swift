import Adjustments
import FoundationEssentials
import Glibc
import Imaging
import JSONText
import RenderModel
import Testing

/// Codes of wide colour spaces before and after filters, `Tests/Reference/wide.json`.
struct WideReference {
  struct Case: Sendable, CustomTestStringConvertible {
    var space: String
    var steps: [FilterStep]
    /// Red, green, blue, red, …
    var output: [Double]

    var testDescription: String {
      "\(space): \(steps.isEmpty ? "nothing" : steps.map(\.name).joined(separator: ", "))"
    }
  }

  var profiles: [String: [UInt8]] = [:]
  /// g, a, b, c and d of (ax + b)^g from d on, cx below.
  var curves: [String: [Double]] = [:]
  var input: [Int] = []
  var cases: [Case] = []

  static let shared = (try? WideReference()) ?? nil

  private init?() throws {
    let root = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    guard let data = FileManager.default.contents(atPath: "/\(root)/Reference/wide.json") else {
      return nil
    }
    let bytes = [UInt8](data)
    let document = try JSONParser.parse(bytes).value
    for member in document["profiles"]?.object ?? [] {
      let curve = Self.numbers(member.value["curve"])
      curves[member.key] = curve
      profiles[member.key] = HandMade.profile(
        member.key,
        colourants: (member.value["colourants"]?.array ?? []).map { Self.numbers($0) },
        curve: curve)
    }
    input = (document["input"]?.array ?? []).flatMap { Self.numbers($0).map { Int($0) } }
    cases = (document["cases"]?.array ?? []).map { value in
      let filters = value["filters"].map { bytes[$0.offset..<$0.end] } ?? []
      return Case(
        space: value["space"]?.string ?? "", steps: Self.steps(Array(filters)),
        output: (value["output"]?.array ?? []).flatMap { Self.numbers($0) })
    }
  }

  /// The light of a code in one of the spaces.
  func light(_ code: Double, in space: String) -> Double {
    guard let curve = curves[space], curve.count == 5 else { return .nan }
    let x = code / 65_535
    return x < curve[4] ? curve[3] * x : pow(curve[1] * x + curve[2], curve[0])
  }

  private static func numbers(_ value: JSONValue?) -> [Double] {
    (value?.array ?? []).map { $0.number?.double ?? .nan }
  }

  /// The text of a filter list as the record's decoder takes it.
  static func steps(_ filters: [UInt8]) -> [FilterStep] {
    let result = AdjustmentDecoding.decode(
      record: AdjustmentRecord(
        formatIdentifier: AdjustmentRecord.nativeIdentifier, formatVersion: "1.0",
        data: Array(#"{"filters": "#.utf8) + filters + Array("}".utf8)))
    guard case .filters(let steps) = result else { return [] }
    return steps
  }
}

extension ImagingTests {
  /// Pictures of 16 bits in wide spaces, from file to file, in their own space.
  @Suite("Wide gamut")
  struct WideGamut {
    static let wide = WideReference.shared

    @Test("the reference is there, in two spaces")
    func reference() throws {
      let reference = try #require(Self.wide)
      #expect(reference.profiles.count == 2 && reference.cases.count >= 30)
      #expect(reference.cases.filter(\.steps.isEmpty).count == 2)
    }

    private func render(
      _ codes: [Int], in space: String, _ steps: [FilterStep], _ type: UniformType
    ) throws -> (picture: PixelBuffer, result: RenderResult) {
      let profile = try #require(Self.wide?.profiles[space])
      let width = codes.count / 3
      var picture = Drawing.deepPicture(width, 2) { x, _, band in codes[3 * x + band] }
      picture.profile = profile
      let rendition = Rendition(name: "r", type: type, bitDepth: 16, colorSpace: .source)
      let render = try Render(picture.file(type), [rendition], filters: steps)
      let decoded = try render.decoded()
      #expect(decoded.profile == profile)
      #expect(render.result.losses.isEmpty, "\(render.result.losses)")
      return (decoded, render.result)
    }

    /// In codes, or in light where codes are finer than light of 16 bits is.
    @Test(
      "every code is what an independent program worked out",
      arguments: wide?.cases ?? [], [UniformType.png, .tiff])
    func codes(golden: WideReference.Case, type: UniformType) throws {
      let reference = try #require(Self.wide)
      let input = reference.input
      let (picture, _) = try render(input, in: golden.space, golden.steps, type)
      #expect(golden.output.count == input.count && !input.isEmpty)
      var worst = (difference: 0.0, index: 0)
      for (index, wanted) in golden.output.enumerated() {
        let found = Double(picture.deep(index / 3, 1, index % 3))
        let light = reference.light(found, in: golden.space)
        let difference = min(
          abs(found - wanted),
          abs(light - reference.light(wanted, in: golden.space)) * 65_535 * 4)
        // Written so that NaN counts.
        if !(difference <= worst.difference) { worst = (difference, index) }
      }
      let pixel = worst.index / 3 * 3
      #expect(
        worst.difference <= 2,
        """
        \(input[pixel..<(pixel + 3)]) differs by \(worst.difference) from \
        \(golden.output[pixel..<(pixel + 3)])
        """)
    }

    static let ramps = [
      [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1],
    ]
    static let keepers = [
      "[]", #"[{"filter": "toneCurve", "points": [[0, 0], [0.25, 0.2], [0.75, 0.82], [1, 1]]}]"#,
      #"[{"filter": "levels", "gamma": 1.1}]"#, #"[{"filter": "contrast", "amount": 0.9}]"#,
    ]

    /// Primaries of ProPhoto lie far outside sRGB, where curves would have lost them.
    @Test(
      "1,024 levels of a ramp of every colour stay 1,024 levels, in their order",
      arguments: wide?.profiles.keys.sorted() ?? [], keepers)
    func levels(space: String, filters: String) throws {
      let steps = WideReference.steps(Array(filters.utf8))
      #expect(steps.isEmpty == (filters == "[]"))
      for colour in Self.ramps {
        // The filters may bring some to the ends of the space itself, so these are left away.
        let codes = (0..<1024).flatMap { level in colour.map { $0 * (6000 + 48 * level) } }
        let (picture, _) = try render(codes, in: space, steps, .png)
        let values = (0..<1024).map { x in
          zip(0..<3, colour).reduce(0) { $0 + $1.1 * picture.deep(x, 1, $1.0) }
        }
        #expect(
          zip(values, values.dropFirst()).allSatisfy { $0 < $1 },
          "\(colour) in \(space): \(filters)")
      }
    }

    @Test("what version 1 of a curve lost is still lost where a record pins it")
    func pinned() throws {
      // Such a green has so little red that all of it lies below the 0 of sRGB, where the curve ended.
      let codes = (0..<256).flatMap { [20 * $0, 60_000, 0] }
      func levels(_ version: Int) throws -> Int {
        let steps = WideReference.steps(
          Array(
            #"[{"filter": "toneCurve", "version": \#(version), "points": [[0, 0], [0.5, 0.45], [1, 1]]}]"#
              .utf8))
        let (picture, _) = try render(codes, in: "ProPhoto RGB", steps, .png)
        return Set((0..<256).map { picture.deep($0, 1, 0) }).count
      }
      let (now, before) = (try levels(2), try levels(1))
      #expect(now > 250 && before < 10, "\(now) and \(before)")
    }
  }
}
