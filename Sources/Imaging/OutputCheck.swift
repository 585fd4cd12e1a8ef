import CImagingShim
import RenderModel

/// Looks at an encoded rendition as a stranger would: type, size, depth and profile must be those asked for.
struct OutputCheck {
  /// Where the boxes of HEIF that are looked at lie.
  private static let headLength = 65_536

  private let rendition: Rendition
  private let expected: PixelSize
  private let colour: OutputColour
  private let quality: Int?

  init(_ rendition: Rendition, expected: PixelSize, colour: OutputColour, quality: Int? = nil) {
    self.rendition = rendition
    self.expected = expected
    self.colour = colour
    self.quality = quality
  }

  func verify(_ descriptor: Int32) throws(RenderFailure) -> RenderResult.Output {
    let head = FileBytes.head(of: descriptor, count: Self.headLength) ?? []
    let content = ContentType(head)
    guard let bytes = FileBytes.size(of: descriptor), content.type == rendition.type else {
      throw failure("is \(content.name)")
    }
    let facts: OutputFacts
    do throws(LibraryError) {
      facts = try OutputFacts.read(descriptor, content, head: head, profile: colour.profile)
    } catch {
      throw failure("cannot be read back: \(DisplayText.escaped(error.text))")
    }
    guard facts.size == expected else {
      throw failure(
        "has \(facts.size.width) x \(facts.size.height) pixels instead of "
          + "\(expected.width) x \(expected.height)")
    }
    guard facts.bitDepth == colour.bitDepth else {
      throw failure("has \(facts.bitDepth) bits a sample instead of \(colour.bitDepth)")
    }
    guard facts.hasProfile else { throw failure("has another profile than was embedded") }
    return RenderResult.Output(
      name: rendition.name, type: content.type, bytes: bytes, width: facts.size.width,
      height: facts.size.height, profile: colour.profileName, bitDepth: facts.bitDepth,
      quality: quality)
  }

  private func failure(_ what: String) -> RenderFailure {
    RenderFailure(
      code: .internal, stage: .verify,
      detail: "the encoded rendition \(rendition.name) \(what)")
  }
}
