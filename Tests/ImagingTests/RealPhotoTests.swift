import ColourEngine
import FoundationEssentials
import Imaging
import JSONText
import RenderModel
import Testing

/// Photos and results that `scripts/reference` has put into a folder outside of the sources.
struct PhotoReference: Sendable {
  struct Case: Sendable, CustomTestStringConvertible {
    var number: Int
    var picture: String
    var step: FilterStep

    var testDescription: String {
      let numbers = step.parameters.compactMap { parameter in
        step.number(parameter.name).map { "\(parameter.name) \($0)" }
      }
      return "\(step.name) \(numbers.joined(separator: ", ")) on \(picture)"
    }
  }

  /// Names the folder; else it is `.build/reference-photos`.
  static let variable = "MINILAB_REFERENCE_PHOTOS"

  let folder: String
  var sizes: [String: PixelSize] = [:]
  var cases: [Case] = []

  /// nil when there is none or when it was made by other scripts, which is said aloud.
  static let shared: PhotoReference? = {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder =
      ProcessInfo.processInfo.environment[variable] ?? "\(root)/.build/reference-photos"
    let skipped = "the suite over real photos is skipped:"
    guard let data = FileManager.default.contents(atPath: "\(folder)/photos.json"),
      let document = try? JSONParser.parse([UInt8](data)).value
    else {
      print("\(skipped) there is no \(folder)/photos.json; scripts/reference makes it")
      return nil
    }
    for script in ["photos.py", "detail.py", "local.py"] {
      let made = FileManager.default.contents(atPath: "\(folder)/\(script)")
      guard made == FileManager.default.contents(atPath: "\(root)/Tests/Reference/\(script)") else {
        print("\(skipped) \(folder) was made by another \(script); run scripts/reference again")
        return nil
      }
    }
    return PhotoReference(folder, document)
  }()

  private init(_ folder: String, _ document: JSONValue) {
    self.folder = folder
    for picture in document["pictures"]?.array ?? [] {
      guard let name = picture["name"]?.string, let width = picture["width"]?.number?.integer,
        let height = picture["height"]?.number?.integer
      else { continue }
      sizes[name] = PixelSize(width: width, height: height)
    }
    cases = (document["cases"]?.array ?? []).enumerated().map { number, value in
      let parameters = (value["parameters"]?.object ?? []).map {
        FilterStep.Parameter(name: $0.key, value: .number($0.value.number?.double ?? .nan))
      }
      return Case(
        number: number, picture: value["picture"]?.string ?? "",
        step: FilterStep(
          name: value["filter"]?.string ?? "", version: 1, parameters: parameters))
    }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name).codes")))
  }
}

extension ImagingTests {
  @Suite("Real photos")
  struct RealPhotos {
    static let photos = PhotoReference.shared

    @Test("there are photos and cases enough", .enabled(if: photos != nil))
    func reference() throws {
      let reference = try #require(Self.photos)
      #expect(reference.sizes.count >= 5 && reference.cases.count >= 55)
      // More than what local filters average a picture down to.
      #expect(reference.sizes.values.contains { max($0.width, $0.height) > 1024 })
    }

    @Test(
      "guided filter, unsharp mask, blur and noise reduction are within 1/255 of the reference",
      .enabled(if: photos != nil), arguments: photos?.cases ?? [])
    func pixels(golden: PhotoReference.Case) throws {
      let reference = try #require(Self.photos)
      let size = try #require(reference.sizes[golden.picture])
      let photo = PixelBuffer(
        size: size, bands: 3, sample: .uint8, samples: try reference.bytes(golden.picture))
      let rendition = Rendition(name: "r", type: .png, bitDepth: 16)
      let result = try Render(photo.file(.png), [rendition], filters: [golden.step]).decoded()
      let wanted = try reference.bytes("\(golden.number)")
      try #require(result.samples.count == wanted.count && wanted.count == photo.samples.count * 2)
      var (worst, changed) = (0, 0)
      for index in photo.samples.indices {
        let (low, high) = (2 * index, 2 * index + 1)
        let code = Int(wanted[low]) | Int(wanted[high]) << 8
        let found = Int(result.samples[low]) | Int(result.samples[high]) << 8
        worst = max(worst, abs(found - code))
        if abs(code - Int(photo.samples[index]) * 257) > 257 { changed += 1 }
      }
      #expect(worst <= 257, "worst difference \(Double(worst) / 257) of 1/255")
      // Else a filter that does nothing would pass.
      #expect(changed > photo.samples.count / 20, "\(changed) samples are other than before")
    }
  }
}
