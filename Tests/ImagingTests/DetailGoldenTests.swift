import ColourEngine
import FoundationEssentials
import Imaging
import JSONText
import RenderModel
import Testing

/// Pictures and results of an independent implementation, `Tests/Reference/detail.json`.
struct DetailReference {
  struct Case: Sendable, CustomTestStringConvertible {
    var picture: String
    var step: FilterStep
    /// Column, row, and what each band's code is there.
    var samples: [[Double]]

    var testDescription: String {
      let numbers = step.parameters.compactMap { parameter in
        step.number(parameter.name).map { "\(parameter.name) \($0)" }
      }
      return "\(step.name) \(numbers.joined(separator: ", ")), \(picture)"
    }
  }

  var pictures: [String: PixelBuffer] = [:]
  var cases: [Case] = []

  static let shared = DetailReference()

  private init() {
    let root = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    guard let data = FileManager.default.contents(atPath: "/\(root)/Reference/detail.json"),
      let document = try? JSONParser.parse([UInt8](data)).value
    else { return }
    for member in document["pictures"]?.object ?? [] {
      let picture = member.value
      guard let width = picture["width"]?.number?.integer,
        let height = picture["height"]?.number?.integer,
        let bands = picture["bands"]?.number?.integer
      else { continue }
      pictures[member.key] = PixelBuffer(
        size: PixelSize(width: width, height: height), bands: bands, sample: .uint8,
        samples: (picture["codes"]?.array ?? []).map { UInt8($0.number?.integer ?? 0) })
    }
    cases = (document["cases"]?.array ?? []).map { entry in
      let parameters = (entry["parameters"]?.object ?? []).map {
        FilterStep.Parameter(name: $0.key, value: .number($0.value.number?.double ?? 0))
      }
      return Case(
        picture: entry["picture"]?.string ?? "",
        step: FilterStep(
          name: entry["filter"]?.string ?? "", version: 1, parameters: parameters),
        samples: (entry["samples"]?.array ?? []).map { sample in
          (sample.array ?? []).map { $0.number?.double ?? .nan }
        })
    }
  }
}

extension ImagingTests {
  @Suite("Detail against the reference")
  struct DetailGolden {
    @Test("the reference is there")
    func reference() {
      #expect(DetailReference.shared.cases.count >= 26)
      #expect(DetailReference.shared.pictures.count == 2)
    }

    @Test("every sample is within one code", arguments: DetailReference.shared.cases)
    func samples(_ golden: DetailReference.Case) throws {
      let picture = try #require(DetailReference.shared.pictures[golden.picture])
      let result = try Render.png(picture, filters: [golden.step])
      #expect(golden.samples.count >= 200)
      var worst = 0.0
      for sample in golden.samples {
        let (x, y) = (Int(sample[0]), Int(sample[1]))
        // Colour behind a cover of a few codes is not kept to the last one by any 8-bit file.
        let bands = picture.bands == 4 && sample[5] < 32 ? 3..<4 : 0..<picture.bands
        for band in bands {
          worst = max(worst, abs(Double(result[x, y, band]) - sample[2 + band]))
        }
      }
      // Half a code is the rounding of the file.
      #expect(worst <= 1.25, "worst difference \(worst)")
    }
  }
}
