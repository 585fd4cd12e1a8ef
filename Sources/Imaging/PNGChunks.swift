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

/// The chunks of a PNG, walked to its end: what libpng drops, and what it does not look for behind the
/// pixels.
struct PNGChunks: Hashable, Sendable {
  /// More than one frame.
  private(set) var isAnimated = false
  /// Changed by Xcode into what only iOS reads.
  private(set) var isForPhones = false
  /// Whether the file ends before the mark of its end.
  private(set) var isCutOff = false
  /// The profile as it was written, whether it can be used or not; of one that cannot be unpacked, what
  /// came of it.
  private(set) var profile: [UInt8]?
  private(set) var metadata = MetadataBlocks()
  private(set) var pixelsAreSquare = true
  private(set) var colours: [String: [UInt8]] = [:]

  private static let longestWalk = 1_000_000
  private static let longestProfile = 64 << 20
  /// Those that say what the numbers of the pixels mean; they are before the pixels.
  private static let ofColours: Set<String> = ["cICP", "sRGB", "gAMA", "cHRM", "cLLI", "mDCV"]

  init(_ file: borrowing FileBytes) {
    var texts: [PNGText] = []
    var position = 8
    var hasPixels = false
    isCutOff = true
    for _ in 0..<Self.longestWalk {
      guard position <= file.count - 12 else { break }
      var reader = BoxReader(file.copy(position..<(position + 8)))
      guard let length = reader.number(4), let type = reader.code(),
        length <= file.count - position - 12
      else { break }
      let body = (position + 8)..<(position + 8 + length)
      switch type {
      case "IEND":
        isCutOff = false
      case "IDAT": hasPixels = true
      case "iTXt", "zTXt", "tEXt":
        if let text = PNGText(type, file, body) { texts.append(text) }
      case "eXIf" where metadata.exif == nil && length <= MetadataLimits.exifInput:
        metadata.exif = EXIFBlock.withoutPrefix(file.copy(body))
      default: if !hasPixels { read(type, file, body) }
      }
      if !isCutOff { break }
      position += 12 + length
    }
    for text in texts { metadata.take(text) }
  }

  private mutating func read(_ type: String, _ file: borrowing FileBytes, _ body: Range<Int>) {
    switch type {
    case "CgBI": isForPhones = true
    case "acTL":
      var reader = BoxReader(file.copy(body))
      isAnimated = reader.number(4) ?? 0 > 1
    case "iCCP" where profile == nil:
      // A name and its end, and the way of packing.
      let name = file.copy(body.prefix(80)).firstIndex(of: 0)
      let packed = name.map { body.dropFirst($0 + 2) } ?? body.suffix(0)
      profile = file.inflated(packed, limit: Self.longestProfile).bytes
    case "pHYs" where body.count == 9:
      var reader = BoxReader(file.copy(body))
      guard let x = reader.number(4), let y = reader.number(4) else { return }
      pixelsAreSquare = PictureDensity.areEqual(x, y)
      if reader.number(1) == 1 { metadata.density = PictureDensity(x: x, y: y, metres: 1) }
    default:
      if Self.ofColours.contains(type), body.count <= 64, colours[type] == nil {
        colours[type] = file.copy(body)
      }
    }
  }
}

/// A text of a PNG that holds metadata.
struct PNGText: Hashable, Sendable {
  var keyword: String
  var text: [UInt8]

  private static let longestKeyword = 80

  /// nil for texts that hold nothing of the kind, and for those that cannot be unpacked.
  init?(_ type: String, _ file: borrowing FileBytes, _ body: Range<Int>) {
    let head = file.copy(body.prefix(Self.longestKeyword))
    guard let end = head.firstIndex(of: 0) else { return nil }
    keyword = String(decoding: head[..<end], as: UTF8.self)
    guard keyword == Self.xmp || keyword.hasPrefix(Self.raw) else { return nil }
    var start = body.lowerBound + end + 1
    var isPacked = type == "zTXt"
    if type == "zTXt" { start += 1 }
    if type == "iTXt" {
      guard start + 2 <= body.upperBound else { return nil }
      isPacked = file[start] == 1
      start += 2
      // The language, and the keyword in it.
      for _ in 0..<2 {
        while start < body.upperBound, file[start] != 0 { start += 1 }
        start += 1
      }
    }
    guard start <= body.upperBound else { return nil }
    let rest = start..<body.upperBound
    let limit = Self.longest(keyword)
    if isPacked {
      let (bytes, isWhole) = file.inflated(rest, limit: limit)
      guard isWhole else { return nil }
      text = bytes
    } else {
      text = file.copy(rest.prefix(limit + 1))
    }
  }

  static let xmp = "XML:com.adobe.xmp"
  /// Before the name of a block that ImageMagick and others have written as digits.
  static let raw = "Raw profile type "

  private static func longest(_ keyword: String) -> Int {
    keyword == xmp ? MetadataLimits.xmp + 1 : 3 * MetadataLimits.photoshop
  }

  /// The block that a text of digits stands for: a line with its name, one with its length, the digits.
  var digits: [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return nil }
    let length = String(decoding: lines[1], as: UTF8.self).filter { $0 != " " }
    guard let count = Int(length), count > 0, count <= lines[2].count / 2 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var high: UInt8?
    for byte in lines[2] where byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") {
      guard let digit = Self.value(byte) else { return nil }
      if let first = high {
        result.append(first << 4 | digit)
        high = nil
        if result.count == count { return result }
      } else {
        high = digit
      }
    }
    return nil
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension MetadataBlocks {
  /// Adds the block of a text, where there is none of its kind.
  fileprivate mutating func take(_ text: PNGText) {
    if text.keyword == PNGText.xmp {
      if xmp == nil { xmp = text.text }
      return
    }
    guard let block = text.digits else { return }
    let isXMP = block.starts(with: JPEGSegments.xmpSign)
    switch text.keyword.dropFirst(PNGText.raw.count) {
    case "xmp": if xmp == nil { xmp = block }
    case "APP1" where isXMP, "app1" where isXMP:
      if xmp == nil { xmp = Array(block.dropFirst(JPEGSegments.xmpSign.count)) }
    case "exif", "EXIF", "APP1", "app1":
      if exif == nil { exif = EXIFBlock.withoutPrefix(block) }
    case "iptc", "8bim":
      let isPhotoshop = block.starts(with: JPEGSegments.photoshopSign)
      let rest = isPhotoshop ? Array(block.dropFirst(JPEGSegments.photoshopSign.count)) : block
      if rest.first == 0x1C { iptc = iptc ?? rest } else { takePhotoshop(rest.span) }
    default: break
    }
  }
}
