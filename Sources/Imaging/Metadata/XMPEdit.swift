import RenderModel

/// An XMP packet changed so that it says what is true of a rendition; untouched when it already does.
struct XMPEdit {
  private let metadata: OutputMetadata
  /// What is to be said in XMP because the container has no IPTC.
  private let iptc: [UInt8]?
  /// Whether IPTC is not what it was, so that its digest in XMP is wrong.
  private let iptcChanged: Bool
  private var facts: RenditionFacts { metadata.facts }

  init(_ metadata: OutputMetadata, iptc: [UInt8]?, iptcChanged: Bool) {
    self.metadata = metadata
    self.iptc = iptc
    self.iptcChanged = iptcChanged
  }

  func run(_ blocks: MetadataBlocks, _ result: inout EncodedMetadata) {
    let packet = blocks.xmp.map(XMPPacket.trimmed) ?? []
    if let reason = XMPPacket.refusal(packet) ?? blocks.extendedXMP.flatMap(XMPPacket.refusal) {
      result.losses.add(.xmp, reason)
      return
    }
    do throws(LibraryError) {
      let editor = try MetadataEditor()
      if !packet.isEmpty { try editor.decode(.xmp, packet) }
      var isChanged = false
      if let extended = blocks.extendedXMP {
        isChanged = true
        do throws(LibraryError) {
          try editor.decode(.xmp, extended)
        } catch {
          result.losses.add(.xmp, "its extension is broken")
        }
      }
      if let iptc {
        do throws(LibraryError) {
          try editor.add(iptc: IPTCText.inUTF8(iptc))
          isChanged = true
        } catch {
          result.losses.add(.iptc, DisplayText.escaped(error.text))
        }
      }
      if try prune(editor, &result.losses) { isChanged = true }
      if try agree(editor) { isChanged = true }
      try write(isChanged ? nil : packet, editor, &result)
    } catch {
      result.losses.add(.xmp, DisplayText.escaped(error.text))
    }
  }

  private func prune(
    _ editor: borrowing MetadataEditor, _ losses: inout LossList
  ) throws(LibraryError) -> Bool {
    var gone: Set<Loss> = []
    let removed = try editor.remove(.xmp) { entry in
      let rule = XMPRules.rule(for: entry)
      switch rule {
      case .always(let loss):
        if let loss { gone.insert(loss) }
        return true
      case .unlessFrameKept where !facts.keepsFrame:
        gone.insert(.regions)
        return true
      case .unlessSizeKept where !(facts.keepsFrame && facts.keepsSize):
        gone.insert(.panorama)
        return true
      case .place where metadata.location == .strip: return true
      case .digestOfIPTC where iptcChanged: return true
      default: return metadata.policy == .minimal && !XMPRules.isMinimal(entry)
      }
    }
    if metadata.policy == .keep {
      for loss in Loss.allCases where gone.contains(loss) { losses.add(loss) }
    }
    return removed
  }

  /// Gives whether something had to be changed.
  private func agree(_ editor: borrowing MetadataEditor) throws(LibraryError) -> Bool {
    var isChanged = false
    for (key, value) in XMPRules.values(facts) where editor.has(.xmp, key) {
      try editor.set(.xmp, key, text: value)
      isChanged = true
    }
    return isChanged
  }

  private func write(
    _ packet: [UInt8]?, _ editor: borrowing MetadataEditor, _ result: inout EncodedMetadata
  ) throws(LibraryError) {
    var encoded = packet
    if encoded == nil { encoded = try editor.encode(.xmp).map(XMPPacket.wrapped) }
    guard let whole = encoded, !whole.isEmpty else { return }
    guard facts.type == .jpeg, whole.count > ExtendedXMP.mainLimit else {
      result.xmp = whole
      return
    }
    guard let (main, extension_) = try ExtendedXMP.split(whole) else {
      result.losses.add(
        .xmp, "its \(whole.count) bytes cannot be shared out among a JPEG's segments")
      return
    }
    result.xmp = main
    result.extendedXMP = extension_
  }
}
