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
    let (before, found) = try attempt { () throws(LibraryError) in
      try file.copy(from: EncodedFile(descriptor: existing))
      return (try digest(file), try look(at: descriptor))
    }
    if let words = mismatch(found) {
      throw failure(.invalidJob, "\(words); render it without --metadata-only")
    }
    return try attempt { () throws(LibraryError) in
      let keepsFrame = geometry.keepsFrame(output)
      let facts = RenditionFacts(
        type: rendition.type, size: found.size, isSRGB: found.profile.hasPrefix("sRGB"),
        keepsFrame: keepsFrame, keepsSize: keepsFrame && found.size == geometry.size)
      let encoded = OutputMetadata(rendition, facts).encode(metadata)
      _ = try MetadataPlacement.put(encoded, into: file, facts)
      // Read again, as a stranger would.
      let after = try digest(file)
      guard before == after, try look(at: descriptor) == found else {
        throw LibraryError(text: "other pixels were found than before")
      }
      return (
        RenderResult.Output(
          name: rendition.name, type: rendition.type, bytes: file.count, width: found.size.width,
          height: found.size.height, profile: found.profile, bitDepth: found.bitDepth,
          pixelDigest: after), encoded.losses
      )
    }
  }

  private func attempt<Value>(
    _ body: () throws(LibraryError) -> Value
  ) throws(RenderFailure) -> Value {
    do throws(LibraryError) {
      return try body()
    } catch {
      throw failure(.internal, "cannot be given other metadata: \(DisplayText.escaped(error.text))")
    }
  }

  private struct Found: Equatable {
    /// What it is in words, when it is of another type; then the rest says nothing.
    var content: String?
    var size = PixelSize(width: 0, height: 0)
    var profile = ""
    var bitDepth = 0
  }

  private func look(at descriptor: Int32) throws(LibraryError) -> Found {
    let head = FileBytes.head(of: descriptor, count: ContentType.headLength) ?? []
    let content = ContentType(head)
    guard content.type == rendition.type else { return Found(content: content.name) }
    let facts = try OutputFacts.read(descriptor, content, head: head)
    let image = try PictureInput(descriptor, content).decoder.image(isStrict: true, reduction: 1)
    return Found(
      content: nil, size: facts.size, profile: SourceColour(image)?.profileName ?? "",
      bitDepth: facts.bitDepth)
  }

  /// Why what exists is not what a render would give; nil when it may be.
  private func mismatch(_ found: Found) -> String? {
    if let content = found.content { return "is \(content) and not \(rendition.type.rawValue)" }
    guard found.size == output.final else {
      return "has \(found.size.width) x \(found.size.height) pixels where a render would have "
        + "\(output.final.width) x \(output.final.height)"
    }
    return nil
  }

  private func failure(_ code: FailureCode, _ what: String) -> RenderFailure {
    RenderFailure(code: code, stage: .encode, detail: "the rendition \(rendition.name) \(what)")
  }
}
