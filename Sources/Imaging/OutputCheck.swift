import CImagingShim
import RenderModel

/// Looks at an encoded rendition as a stranger would: its type and its size must be what was asked for.
struct OutputCheck {
  private let rendition: Rendition
  private let expected: PixelSize
  private let colour: OutputColour

  init(_ rendition: Rendition, expected: PixelSize, colour: OutputColour) {
    self.rendition = rendition
    self.expected = expected
    self.colour = colour
  }

  func verify(_ descriptor: Int32) throws(RenderFailure) -> RenderResult.Output {
    let head = FileBytes.head(of: descriptor, count: ContentType.headLength) ?? []
    let content = ContentType(head)
    guard let bytes = FileBytes.size(of: descriptor), content.type == rendition.type else {
      throw failure("is \(content.name)")
    }
    let size: PixelSize
    do throws(LibraryError) {
      let source = try PictureSource(descriptor: descriptor)
      size = try PipelineImage(
        source: source,
        options: minilab_load_options(
          codec: content.codec, sequential: 1, fail_on_truncated: 1, shrink: 1)
      ).size
    } catch {
      throw failure("cannot be read back: \(DisplayText.escaped(error.text))")
    }
    guard size == expected else {
      throw failure(
        "has \(size.width) x \(size.height) pixels instead of \(expected.width) x \(expected.height)"
      )
    }
    return RenderResult.Output(
      name: rendition.name, type: content.type, bytes: bytes, width: size.width,
      height: size.height, profile: colour.profileName, bitDepth: colour.bitDepth)
  }

  private func failure(_ what: String) -> RenderFailure {
    RenderFailure(
      code: .internal, stage: .verify,
      detail: "the encoded rendition \(rendition.name) \(what)")
  }
}
