import ColourEngine
import FoundationEssentials
import JSONText
import RenderModel
import Testing

/// Against Tests/Reference/local.py, which was written from the published formulas.
@Suite("Local filters against their reference") struct LocalReferenceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var picture: SmallPicture
    var step: FilterStep
    var longest: Int
    var hasHole: Bool
    var places: [Int]
    var values: [Double]
    var testDescription: String {
      "\(step.name) \(step.parameters.map { $0.value }) on \(picture.name) at \(longest)"
    }
  }

  struct SmallPicture: Sendable {
    var name: String
    var width: Int
    var height: Int
    var codes: [UInt8]

    /// The hole is as in the script: rings of alpha about the middle.
    func light(hasHole: Bool) -> LocalPicture {
      let pass = PixelPass(from: .encoded(.uint8), steps: [], to: .working)
      let light = run(pass, codes, bands: 3, to: 3, as: Float.self)
      return LocalPicture(width, height) { x, y in
        let distance = max(abs(y - height / 2), abs(x - width / 2))
        let alpha = hasHole ? Float(min(max((distance - 20) * 16, 0), 255)) / 255 : 1
        let index = (y * width + x) * 3
        return SIMD4(light[index], light[index + 1], light[index + 2], alpha)
      }
    }
  }

  static let cases: [Case] = {
    guard let file = try? Self.read() else { return [] }
    return file
  }()

  private static func read() throws -> [Case] {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let data = try #require(
      FileManager.default.contents(atPath: "/\(folder)/Reference/local.json"))
    let root = try JSONParser.parse(Array(data)).value
    func number(_ value: JSONValue?) -> Double { value?.number?.double ?? .nan }
    let pictures = try (root["pictures"]?.array ?? []).map { value in
      let digits = Array(try #require(value["codes"]?.string).utf8)
      func digit(_ byte: UInt8) -> UInt8 { byte < 97 ? byte - 48 : byte - 87 }
      return SmallPicture(
        name: value["name"]?.string ?? "", width: Int(number(value["width"])),
        height: Int(number(value["height"])),
        codes: stride(from: 0, to: digits.count, by: 2).map {
          digit(digits[$0]) << 4 | digit(digits[$0 + 1])
        })
    }
    return try (root["cases"]?.array ?? []).map { value in
      let parameters = (value["parameters"]?.object ?? []).map {
        FilterStep.Parameter(name: $0.key, value: .number(number($0.value)))
      }
      let name = value["picture"]?.string
      return Case(
        picture: try #require(pictures.first { $0.name == name }),
        step: FilterStep(
          name: value["filter"]?.string ?? "", version: 1, parameters: parameters),
        longest: Int(number(value["longest"])), hasHole: value["hole"]?.bool ?? false,
        places: (value["places"]?.array ?? []).map { Int(number($0)) },
        values: (value["values"]?.array ?? []).map { number($0) })
    }
  }

  @Test("the reference has its cases")
  func count() { #expect(Self.cases.count == 48) }

  @Test("every pixel is what the formulas say, to a tenth of an 8-bit code", arguments: cases)
  func golden(golden: Case) {
    let result = golden.picture.light(hasHole: golden.hasHole)
      .filtered(golden.step, longest: golden.longest)
    var worst = 0.0
    for (position, place) in golden.places.enumerated() {
      for band in 0..<3 {
        let wanted = golden.values[position * 3 + band]
        let found = Double(result.samples[place * 4 + band])
        let difference = abs(Reference.encode(found) - Reference.encode(wanted))
        worst = max(worst, difference.isNaN ? .infinity : difference)
      }
    }
    #expect(worst < 0.1 / 255, "worst difference \(worst * 255) codes")
  }
}
