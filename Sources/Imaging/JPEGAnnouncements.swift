/// What the XMP of a JPEG says of maps that come with the picture.
///
/// Writers declare namespaces that they then use nothing of, so only a property counts.
extension FileBytes {
  func announcesGainMap(_ start: Int, _ end: Int) -> Bool {
    hasItem("GainMap", start, end)
      || has(["Version"], of: "http://ns.adobe.com/hdr-gain-map/1.0/", "hdrgm", start, end)
      || has(
        ["HDRGainMapVersion", "HDRGainMapHeadroom"], of: "http://ns.apple.com/HDRGainMap/1.0/",
        "HDRGainMap", start, end)
  }

  func announcesDepth(_ start: Int, _ end: Int) -> Bool {
    hasItem("Depth", start, end)
      || has(
        ["Format", "Near", "Far", "Mime", "Data", "Image"],
        of: "http://ns.google.com/photos/1.0/depthmap/", "GDepth", start, end)
      || has(
        ["Format", "Near", "Far", "ItemSemantic", "DepthURI"],
        of: "http://ns.google.com/photos/dd/1.0/depthmap/", "DepthMap", start, end)
  }

  /// Whether a container's list of items has one of this meaning.
  private func hasItem(_ meaning: String, _ start: Int, _ end: Int) -> Bool {
    ["=\"\(meaning)\"", "='\(meaning)'", ">\(meaning)<"].contains {
      hasText(":Semantic\($0)", start, end)
    }
  }

  /// Whether there is one of the properties of a namespace, by its usual prefix or one that is declared.
  private func has(
    _ names: [String], of namespace: String, _ usual: String, _ start: Int, _ end: Int
  ) -> Bool {
    let declared = hasText(namespace, start, end) ? prefixes(of: namespace, start..<end) : []
    return (declared + [usual]).contains { prefix in
      names.contains { hasText("\(prefix):\($0)", start, end) }
    }
  }

  /// That a part of the file declares for a namespace.
  private func prefixes(of namespace: String, _ range: Range<Int>) -> [String] {
    let text = String(decoding: copy(range), as: UTF8.self)
    let pieces = text.split(separator: "xmlns:", omittingEmptySubsequences: false)
    return pieces.dropFirst().compactMap { declaration in
      let parts = declaration.split(separator: "=", maxSplits: 1)
      guard parts.count == 2,
        parts[1].drop(while: \.isWhitespace).dropFirst()
          .hasPrefix(namespace)
      else { return nil }
      return String(parts[0].filter { !$0.isWhitespace })
    }
  }
}
