import RenderModel

/// The blocks that go into an encoded rendition.
struct EncodedMetadata: Hashable, Sendable {
  /// From the TIFF header on.
  var exif: [UInt8]?
  var xmp: [UInt8]?
  /// What of the XMP does not fit a JPEG's one segment.
  var extendedXMP: ExtendedXMP?
  var iptc: [UInt8]?
  /// nil when it is not known or not to be told.
  var density: PictureDensity?
  var losses = LossList()

  /// What is lost when the container has no place for it.
  var unplaced: LossList {
    var losses = LossList()
    if exif != nil { losses.add(.exif) }
    if xmp != nil { losses.add(.xmp) }
    if iptc != nil { losses.add(.iptc) }
    return losses
  }
}

/// What of a picture's metadata goes into a rendition, and how it is made to agree with its pixels.
struct OutputMetadata: Hashable, Sendable {
  var policy: Rendition.MetadataPolicy
  var location: Rendition.LocationPolicy
  var facts: RenditionFacts

  init(_ rendition: Rendition, _ facts: RenditionFacts) {
    policy = rendition.metadata
    location = rendition.location
    self.facts = facts
  }

  func encode(_ blocks: MetadataBlocks) -> EncodedMetadata {
    var result = EncodedMetadata()
    guard policy != .strip else { return result }
    if policy == .keep {
      result.density = blocks.density ?? blocks.exif.flatMap { PictureDensity(exif: $0) }
    }
    if let exif = blocks.exif { result.exif = edited(exif: exif, &result.losses) }
    if let iptc = blocks.iptc { result.iptc = edited(iptc: iptc, &result.losses) }
    let movesIPTC = !facts.holdsIPTC && result.iptc != nil
    if blocks.xmp != nil || movesIPTC {
      let xmp = XMPEdit(
        self, iptc: movesIPTC ? result.iptc : nil,
        iptcChanged: movesIPTC || result.iptc != blocks.iptc)
      xmp.run(blocks, &result)
    }
    if movesIPTC { result.iptc = nil }
    return result
  }

  private func edited(exif: [UInt8], _ losses: inout LossList) -> [UInt8]? {
    do throws(LibraryError) {
      return try EXIFEdit(self).run(exif, &losses)
    } catch {
      losses.add(.exif, "the Exif block cannot be read: \(DisplayText.escaped(error.text))")
      return nil
    }
  }

  private func edited(iptc: [UInt8], _ losses: inout LossList) -> [UInt8]? {
    guard iptc.count <= MetadataLimits.iptc, IPTCBlock.datasets(iptc) != nil else {
      losses.add(.iptc, "the IPTC block of \(iptc.count) bytes is broken or too large")
      return nil
    }
    if policy == .keep && location == .keep { return iptc }
    return IPTCBlock.filtered(iptc) { dataset in
      if location == .strip && IPTCBlock.isPlace(dataset) { return false }
      return policy == .keep || IPTCBlock.isMinimal(dataset)
    }
  }
}

extension PipelineImage {
  /// Takes all metadata away but the profile, so that an encoder writes none of its own making.
  ///
  /// Only on a handle of one's own (`copy`).
  borrowing func keepOnly(profile: [UInt8]) {
    for name in fieldNames where !Self.isBuiltIn(name) { remove(name) }
    setResolution(PictureDensity.usual.x / 25.4)
    set(profileField, to: profile)
    set("orientation", to: 1)
  }

  /// Fields of the library's image itself, which cannot be removed.
  private static func isBuiltIn(_ name: String) -> Bool {
    [
      "width", "height", "bands", "format", "coding", "interpretation", "xres", "yres", "xoffset",
      "yoffset", "filename", "scale", "offset",
    ].contains(name)
  }
}
