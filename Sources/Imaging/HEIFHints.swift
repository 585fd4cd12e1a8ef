import RenderModel

/// What the first part of a HEIF file announces beside its picture.
struct HEIFHints: Hashable, Sendable {
  private static let searched = 65_536

  private(set) var losses: [String] = []
  /// Whether the container turns or mirrors its picture, which the decoder then does; EXIF must not
  /// do it again. A file that has been written anew without them is upright only by its EXIF.
  private(set) var hasTransforms = false

  /// nil for other types.
  init?(_ descriptor: Int32, _ type: UniformType) {
    guard [UniformType.heic, .heif, .avif].contains(type),
      let bytes = FileBytes.head(of: descriptor, count: Self.searched)
    else { return nil }
    let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
    hasTransforms = text.contains("irot") || text.contains("imir")
    if text.contains(":aux:hdrgainmap") || text.contains("tmap") { losses.append("gainMap") }
    if text.contains("auxiliary:depth") || text.contains("auxid:2") { losses.append("depth") }
  }
}
