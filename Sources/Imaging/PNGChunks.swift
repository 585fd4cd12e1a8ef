/// The chunks of a PNG before its pixels.
struct PNGChunks: Hashable, Sendable {
  /// More than one frame.
  private(set) var isAnimated = false
  /// Changed by Xcode into what only iOS reads.
  private(set) var isForPhones = false

  private static let longestWalk = 10_000

  init(_ file: borrowing FileBytes) {
    var position = 8
    for _ in 0..<Self.longestWalk {
      guard position <= file.count - 12 else { return }
      var reader = BoxReader(file.copy(position..<(position + 12)))
      guard let length = reader.number(4), let type = reader.code() else { return }
      switch type {
      case "IDAT", "IEND": return
      case "CgBI": isForPhones = true
      case "acTL": isAnimated = reader.number(4) ?? 0 > 1
      default: break
      }
      guard length <= file.count - position - 12 else { return }
      position += 12 + length
    }
  }
}
