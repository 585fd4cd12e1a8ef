/// What the messages of a JPEG decode say about its pixels.
///
/// The library keeps the text of the first warning and counts the others, so a harmless first one
/// excuses only itself, and stray bytes only as many as the header is known to have.
enum JPEGDamage {
  private static let harmless = [
    "Unknown Adobe color transform code", "unknown JFIF revision number",
    "Invalid SOS parameters for sequential JPEG",
  ]

  /// What is wrong with the pixels, in libjpeg's words; nil when all of them were decoded.
  static func find(in messages: [String], structure: JPEGStructure) -> String? {
    if structure.isArithmetic && !structure.hasEnd {
      return "unexpected end of file: no marker ends its arithmetic-coded data"
    }
    guard let index = messages.lastIndex(where: { $0.hasPrefix("read gave ") }),
      let count = messages[index].split(separator: " ").dropFirst(2).first.flatMap({ Int($0) }),
      count > 0
    else { return nil }
    let text = index + 1 < messages.count ? messages[index + 1] : ""
    if count == 1 && harmless.contains(where: { text.contains($0) }) { return nil }
    if text.contains("extraneous bytes before marker") && count <= max(1, structure.strayRuns) {
      return nil
    }
    let first = text.split(separator: "\n").first.map(String.init) ?? "the decoder warned"
    return first.replacing("VipsJpeg: ", with: "")
  }
}
