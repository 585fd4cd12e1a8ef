/// One chunk of a PNG, by its place in the file.
struct PNGChunk: Hashable, Sendable {
  /// Where the first one begins: behind the signature.
  static let start = 8
  /// What even an empty one has: length, type and checksum.
  static let least = 12

  var type: String
  /// All of it; in a file that is cut off it reaches beyond the end.
  var whole: Range<Int>

  var data: Range<Int> { (whole.lowerBound + 8)..<(whole.upperBound - 4) }

  /// `head`: its first eight bytes; nil when there are fewer.
  init?(_ head: [UInt8], at position: Int) {
    var reader = BoxReader(head)
    guard let length = reader.number(4), let type = reader.code() else { return nil }
    self.type = type
    whole = position..<(position + Self.least + length)
  }
}

/// What the chunks of a PNG before its pixels say.
struct PNGChunks: Hashable, Sendable {
  /// More than one frame.
  private(set) var isAnimated = false
  /// Changed by Xcode into what only iOS reads.
  private(set) var isForPhones = false
  /// The data of the chunks about colours, of each the first.
  private(set) var colours: [String: [UInt8]] = [:]

  private static let longestWalk = 10_000
  private static let aboutColours: Set<String> = ["cICP", "sRGB", "gAMA", "cHRM", "cLLI", "mDCV"]
  private static let longestAboutColours = 64

  init(_ file: borrowing FileBytes) {
    var position = PNGChunk.start
    for _ in 0..<Self.longestWalk {
      guard position <= file.count - PNGChunk.least,
        let chunk = PNGChunk(file.copy(position..<(position + 8)), at: position),
        chunk.type != "IDAT", chunk.type != "IEND"
      else { return }
      switch chunk.type {
      case "CgBI": isForPhones = true
      case "acTL":
        var reader = BoxReader(file.copy((position + 8)..<(position + 12)))
        isAnimated = reader.number(4) ?? 0 > 1
      case let type where Self.aboutColours.contains(type) && colours[type] == nil:
        if chunk.data.count <= Self.longestAboutColours, chunk.data.upperBound <= file.count {
          colours[type] = file.copy(chunk.data)
        }
      default: break
      }
      position = chunk.whole.upperBound
    }
  }
}
