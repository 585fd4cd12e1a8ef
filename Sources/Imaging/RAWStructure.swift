import RenderModel

/// What the directories of a file that is built as a TIFF say of sensor data: whether it is there, and
/// all of it.
///
/// LibRaw fills what is missing of some compressions with grey and does not say so.
struct RAWStructure: Hashable, Sendable {
  /// What is missing, in words that follow `cut off:`.
  fileprivate(set) var truncation: String?
  /// Whether a directory lies behind the end; of a file that can be read it means nothing.
  fileprivate(set) var lacksDirectory = false
  /// What it is when one of its directories holds sensor data; nil for an ordinary picture.
  fileprivate(set) var kind: ContentType?

  /// nil for files that are built otherwise.
  init?(_ file: borrowing FileBytes) {
    let found = unsafe file.withBytes { bytes -> RAWStructure? in
      guard var walk = unsafe DirectoryWalk(bytes) else { return nil }
      walk.run()
      return walk.found
    }
    guard let found else { return nil }
    self = found
  }

  fileprivate init() {}
}

/// Goes through all directories of bytes that stay in memory meanwhile.
@safe
private struct DirectoryWalk {
  private static let maximumDirectories = 64
  private static let maximumEntries = 512
  private static let maximumParts = 100_000

  private let bytes: UnsafeRawBufferPointer
  private let bigEndian: Bool
  private(set) var found = RAWStructure()
  private var maker = ""

  init?(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
    guard bytes.count >= 8 else { return nil }
    let sign = unsafe Array(bytes.prefix(2))
    guard sign == Array("II".utf8) || sign == Array("MM".utf8) else { return nil }
    bigEndian = sign == Array("MM".utf8)
    // Other makers' signs stand for other rules.
    guard number(at: 2, 2) == 42 else { return nil }
  }

  mutating func run() {
    var waiting = [number(at: 4, 4) ?? 0]
    var seen: Set<Int> = []
    while let offset = waiting.popLast(), seen.count < Self.maximumDirectories {
      guard offset != 0, seen.insert(offset).inserted else { continue }
      guard let count = number(at: offset, 2),
        let next = number(at: offset + 2 + 12 * count, 4), count <= Self.maximumEntries
      else {
        found.lacksDirectory = true
        continue
      }
      let directory = entries(at: offset + 2, count)
      waiting.append(next)
      waiting += values(directory[0x014A]).prefix(Self.maximumDirectories)
      if maker.isEmpty { maker = text(directory[0x010F]) }
      if found.kind?.type != .dng { found.kind = kind(directory) ?? found.kind }
      check(directory)
    }
  }

  private func kind(_ directory: [Int: Int]) -> ContentType? {
    if directory[0xC612] != nil { return ContentType(.dng, "a RAW image (DNG)") }
    let hasSensorData =
      values(directory[0x0106]).contains(where: SensorData.photometries.contains)
      || values(directory[0x0103]).contains(where: SensorData.compressions.contains)
    return hasSensorData ? ContentType(.rawImage, ContentType.rawName(maker: maker)) : nil
  }

  private func text(_ entry: Int?) -> String {
    guard let entry, let count = number(at: entry + 4, 4), count > 4, count < 256,
      let start = number(at: entry + 8, 4)
    else { return "" }
    let bytes = (0..<count).compactMap { number(at: start + $0, 1) }.prefix { $0 != 0 }
    return String(decoding: bytes.map { UInt8($0) }, as: UTF8.self)
  }

  /// Sensor data by its photometry, or a picture that says nothing of it, as Canon's is.
  private mutating func check(_ directory: [Int: Int]) {
    let photometry = values(directory[0x0106]).first
    guard photometry.map(SensorData.photometries.contains) ?? true else { return }
    for (offsets, counts) in [(0x0111, 0x0117), (0x0144, 0x0145)] {
      let starts = values(directory[offsets])
      let lengths = values(directory[counts])
      guard starts.count == lengths.count else { continue }
      let end = zip(starts, lengths).map { $0 + $1 }.max() ?? 0
      if unsafe end > bytes.count {
        found.truncation = unsafe "its sensor data ends at byte \(end), the file at \(bytes.count)"
      }
    }
  }

  /// Where the entries lie, by their tags.
  private func entries(at offset: Int, _ count: Int) -> [Int: Int] {
    var entries: [Int: Int] = [:]
    for index in 0..<count {
      let place = offset + 12 * index
      if let tag = number(at: place, 2) { entries[tag] = place }
    }
    return entries
  }

  /// The numbers of an entry of shorts or longs.
  private func values(_ entry: Int?) -> [Int] {
    guard let entry, let type = number(at: entry + 2, 2), let count = number(at: entry + 4, 4),
      [3, 4, 13].contains(type), count <= Self.maximumParts
    else { return [] }
    let size = type == 3 ? 2 : 4
    guard let start = size * count <= 4 ? entry + 8 : number(at: entry + 8, 4) else { return [] }
    let values = (0..<count).map { number(at: start + size * $0, size) }
    return values.contains(nil) ? [] : values.compactMap { $0 }
  }

  /// nil behind the end.
  private func number(at offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, unsafe offset <= bytes.count - count else { return nil }
    var value = 0
    for index in 0..<count {
      let byte = unsafe Int(bytes[offset + (bigEndian ? index : count - 1 - index)])
      value = value << 8 | byte
    }
    return value
  }
}
