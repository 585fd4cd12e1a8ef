package import RenderModel

/// Looks at encoded renditions as a stranger would: they must be what their maker says they are.
package enum OutputCheck {
  /// Where the boxes of HEIF that are looked at lie.
  private static let headLength = 65_536

  /// Why these are not the outputs that were claimed; nil when they are.
  ///
  /// `descriptors`: one for each output, in order, open for reading; they stay the caller's.
  /// `decoding`: all pixels are decoded too, and damage is refused.
  package static func failure(
    of outputs: [RenderResult.Output], in descriptors: [Int32], decoding: Bool
  ) -> RenderFailure? {
    guard outputs.count == descriptors.count else {
      return failure("not every rendition was delivered")
    }
    for (output, descriptor) in zip(outputs, descriptors) {
      LibraryMessages.clear()
      if let words = fault(of: output, in: descriptor, decoding: decoding) {
        return failure("the encoded rendition \(DisplayText.escaped(output.name)) \(words)")
      }
    }
    return nil
  }

  private static func fault(
    of output: RenderResult.Output, in descriptor: Int32, decoding: Bool
  ) -> String? {
    let head = FileBytes.head(of: descriptor, count: headLength) ?? []
    let content = ContentType(head)
    guard content.type == output.type else { return "is \(content.name)" }
    guard FileBytes.size(of: descriptor) == output.bytes else {
      return "has another size than \(output.bytes) bytes"
    }
    do throws(LibraryError) {
      let facts = try OutputFacts.read(descriptor, content, head: head)
      guard facts.size == PixelSize(width: output.width, height: output.height) else {
        return "has \(facts.size.width) x \(facts.size.height) pixels instead of "
          + "\(output.width) x \(output.height)"
      }
      guard facts.bitDepth == output.bitDepth else {
        return "has \(facts.bitDepth) bits a sample instead of \(output.bitDepth)"
      }
      guard facts.colours.agree(with: output.profileDigest) else {
        return "has another profile than was embedded"
      }
      if decoding { try decode(descriptor, content) }
      return nil
    } catch {
      return "cannot be read back: \(DisplayText.escaped(error.text))"
    }
  }

  private static func decode(_ descriptor: Int32, _ content: ContentType) throws(LibraryError) {
    let input = try PictureInput(descriptor, content)
    try decode(input)
    // Decoders of JPEG go past much of the damage and only speak of it.
    if let structure = input.structure,
      let found = JPEGDamage.find(in: LibraryMessages.all, structure: structure)
    {
      throw LibraryError(text: found)
    }
  }

  /// The decoder is gone when this returns, and has said all it has to say.
  private static func decode(_ input: PictureInput) throws(LibraryError) {
    let image = try input.decoder.image(isStrict: true, reduction: 1)
    try unsafe image.eachRow { _, _ in }
  }

  private static func failure(_ detail: String) -> RenderFailure {
    RenderFailure(code: .internal, stage: .verify, detail: detail)
  }
}
