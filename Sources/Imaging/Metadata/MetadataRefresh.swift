import CImagingShim
import ColourEngine
package import RenderModel

extension OpenedPicture {
  /// Gives renditions that exist the metadata that a render would give them now; no pixel is decoded or
  /// encoded.
  ///
  /// `existing`: one descriptor a rendition, in order, open for reading; what they hold is copied to
  ///   `outputs`, which are open for reading and writing. All stay the caller's.
  /// A rendition whose type or size is not what a render would give is refused.
  package func refreshMetadata(
    _ plan: RenderPlan, existing: [Int32], outputs: [Int32]
  ) -> Result<RenderResult, RenderFailure> {
    Result { () throws(RenderFailure) in
      guard existing.count == plan.renditions.count, outputs.count == existing.count else {
        throw RenderFailure(
          code: .internal, stage: .encode, detail: "there are not as many files as renditions")
      }
      var clock = StageClock()
      let geometry = try RenderGeometry(
        stored: PixelSize(width: header.width, height: header.height),
        orientation: Orientation(header.orientation) ?? .upright, filters: plan.filters,
        renditions: plan.renditions, limits: plan.limits, reduction: 1)
      var all = losses
      var result = RenderResult(outputs: [])
      for (index, rendition) in plan.renditions.enumerated() {
        let refresh = MetadataRefresh(
          rendition: rendition, output: geometry.outputs[index], geometry: geometry,
          metadata: metadata)
        let (output, lost) = try refresh.run(from: existing[index], to: outputs[index])
        result.outputs.append(output)
        all.add(lost)
      }
      result.losses = all.names
      result.lossNotes = all.notes
      result.stageTimes.header = headerMilliseconds
      result.stageTimes.encode = clock.lap()
      return result
    }
  }
}

/// New metadata for one rendition that exists.
private struct MetadataRefresh {
  let rendition: Rendition
  let output: RenderGeometry.Output
  let geometry: RenderGeometry
  let metadata: MetadataBlocks

  func run(
    from existing: Int32, to descriptor: Int32
  ) throws(RenderFailure) -> (RenderResult.Output, LossList) {
    guard let digest = MetadataPlacement.pixelDigest(of: rendition.type) else {
      throw failure(
        .invalidJob,
        "is \(rendition.type.rawValue), whose metadata cannot be changed without encoding it anew; "
          + "render it without --metadata-only")
    }
    let file = EncodedFile(descriptor: descriptor)
    do throws(LibraryError) {
      try file.copy(from: EncodedFile(descriptor: existing))
      let before = try digest(file)
      let found = try look(at: descriptor)
      let keepsFrame = geometry.keepsFrame(output)
      let facts = RenditionFacts(
        type: rendition.type, size: found.size, isSRGB: found.profile.hasPrefix("sRGB"),
        keepsFrame: keepsFrame, keepsSize: keepsFrame && found.size == geometry.size)
      let encoded = OutputMetadata(rendition, facts).encode(metadata)
      _ = try MetadataPlacement.put(encoded, into: file, facts)
      // Read again, as a stranger would.
      let after = try digest(file)
      let again = try look(at: descriptor)
      guard before == after, again == found else {
        throw LibraryError(text: "other pixels were found than before")
      }
      return (
        RenderResult.Output(
          name: rendition.name, type: rendition.type, bytes: file.count, width: found.size.width,
          height: found.size.height, profile: found.profile, bitDepth: found.bitDepth,
          pixelDigest: after), encoded.losses
      )
    } catch {
      throw failure(.internal, "cannot be given other metadata: \(DisplayText.escaped(error.text))")
    }
  }

  private struct Found: Equatable {
    var size: PixelSize
    var profile: String
    var bitDepth: Int
  }

  private func look(at descriptor: Int32) throws(LibraryError) -> Found {
    let content = ContentType(FileBytes.head(of: descriptor, count: ContentType.headLength) ?? [])
    guard content.type == rendition.type else {
      throw LibraryError(text: "it is \(content.name)")
    }
    let image = try PictureInput(descriptor, content).decoder.image(isStrict: true, reduction: 1)
    guard image.size == output.final else {
      throw LibraryError(
        text: "it has \(image.size.width) x \(image.size.height) pixels where a render would have "
          + "\(output.final.width) x \(output.final.height)")
    }
    return Found(
      size: image.size, profile: SourceColour(image)?.profileName ?? "",
      bitDepth: image.format == MINILAB_FORMAT_UINT8 ? 8 : 16)
  }

  private func failure(_ code: FailureCode, _ what: String) -> RenderFailure {
    RenderFailure(code: code, stage: .encode, detail: "the rendition \(rendition.name) \(what)")
  }
}
