/// Reads a `.cube` file: keywords, then rows of three numbers, red fastest.
///
/// Adobe's dialect has LUT_1D_SIZE or LUT_3D_SIZE, DOMAIN_MIN and DOMAIN_MAX; Resolve's has one size
/// or both, LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE, the rows of the curves before those of the cube.
struct CubeTextParser {
  private var scanner: CubeTextScanner

  init(_ bytes: [UInt8]) { scanner = CubeTextScanner(bytes) }

  mutating func parse() throws(CubeTextError) -> CubeText {
    try scanner.skipMark()
    var header = CubeTextHeader()
    while scanner.findsLine(), !scanner.isAtNumber { try header.read(&scanner) }
    var text = try header.tables(endLine: scanner.line)
    let curveRows = text.curves?.size ?? 0
    let cubeRows = text.cube.map { $0.size * $0.size * $0.size } ?? 0
    let wanted = curveRows + cubeRows
    text.curves?.rows = try rows(curveRows, after: 0, of: wanted)
    text.cube?.rows = try rows(cubeRows, after: curveRows, of: wanted)
    if scanner.findsLine() {
      _ = try scanner.row()
      throw CubeTextError(line: scanner.line, .tooManyRows(wanted))
    }
    return text
  }

  private mutating func rows(
    _ count: Int, after done: Int, of wanted: Int
  ) throws(CubeTextError) -> [SIMD4<Float>] {
    var rows: [SIMD4<Float>] = []
    rows.reserveCapacity(min(count, scanner.rowsAtMost))
    while rows.count < count {
      guard scanner.findsLine() else {
        throw CubeTextError(line: scanner.line, .missingRows(done + rows.count, of: wanted))
      }
      rows.append(try scanner.row())
    }
    return rows
  }
}

/// What the keywords of a `.cube` file have said.
struct CubeTextHeader {
  enum Keyword: String {
    case curveSize = "LUT_1D_SIZE"
    case cubeSize = "LUT_3D_SIZE"
    case lowest = "DOMAIN_MIN"
    case highest = "DOMAIN_MAX"
    case curveRange = "LUT_1D_INPUT_RANGE"
    case cubeRange = "LUT_3D_INPUT_RANGE"
    case title = "TITLE"
    case videoInput = "LUT_IN_VIDEO_RANGE"
    case videoOutput = "LUT_OUT_VIDEO_RANGE"

    var numbers: Int {
      switch self {
      case .lowest, .highest: 3
      case .curveRange, .cubeRange: 2
      default: 0
      }
    }
  }

  private struct Entry {
    var line: Int
    var size = 0
    var numbers: [Float] = []
  }

  /// The largest cube read from text, 48 MB in memory: as fine as a HaldCLUT of level 12.
  static let cubeSizes = 2...144

  private var entries: [Keyword: Entry] = [:]
  private var unknown: String?

  /// Takes the line in which the scanner stands at a word.
  mutating func read(_ scanner: inout CubeTextScanner) throws(CubeTextError) {
    let line = scanner.line
    let word = try scanner.word()
    guard let keyword = Keyword(rawValue: word.uppercased()) else {
      if ["NAN", "INF", "INFINITY"].contains(word.uppercased()) {
        throw CubeTextError(line: line, .noNumber(word))
      }
      if unknown == nil { unknown = word }
      return scanner.skipLine()
    }
    if let first = entries[keyword], keyword != .title {
      throw CubeTextError(line: line, .repeated(keyword.rawValue, firstLine: first.line))
    }
    var entry = Entry(line: line)
    switch keyword {
    case .title: scanner.skipLine()
    case .videoInput, .videoOutput: throw CubeTextError(line: line, .videoRange(keyword.rawValue))
    case .curveSize: entry.size = try size(keyword, TableCurves.sizes, &scanner)
    case .cubeSize: entry.size = try size(keyword, Self.cubeSizes, &scanner)
    default:
      guard let numbers = try scanner.numbers(keyword.numbers) else {
        throw CubeTextError(line: line, .numbers(keyword.rawValue, keyword.numbers))
      }
      entry.numbers = numbers
    }
    entries[keyword] = entry
  }

  private func size(
    _ keyword: Keyword, _ range: ClosedRange<Int>, _ scanner: inout CubeTextScanner
  ) throws(CubeTextError) -> Int {
    let line = scanner.line
    let shown = scanner.restOfLine()
    guard let size = Int(shown), range.contains(size) else {
      throw CubeTextError(
        line: line,
        .size(keyword.rawValue, shown: CubeTextScanner.quoted(Array(shown.utf8)), range))
    }
    return size
  }

  /// Tables without rows yet.
  func tables(endLine: Int) throws(CubeTextError) -> CubeText {
    let text = CubeText(
      curves: try table(.curveSize, .curveRange), cube: try table(.cubeSize, .cubeRange))
    if text.curves == nil, text.cube == nil {
      throw CubeTextError(line: endLine, .noSize(unknown: unknown))
    }
    return text
  }

  private func table(
    _ sizeKey: Keyword, _ rangeKey: Keyword
  ) throws(CubeTextError) -> CubeText.Table? {
    guard let size = entries[sizeKey]?.size else {
      if let range = entries[rangeKey] {
        throw CubeTextError(
          line: range.line, .rangeWithoutSize(rangeKey.rawValue, size: sizeKey.rawValue))
      }
      return nil
    }
    let domainKey: Keyword = entries[.highest] != nil ? .highest : .lowest
    let isPair = entries[.curveSize] != nil && entries[.cubeSize] != nil
    if let domain = entries[domainKey], isPair {
      throw CubeTextError(line: domain.line, .domainOfTwo(domainKey.rawValue))
    }
    var (lowest, highest) = ([Float](repeating: 0, count: 3), [Float](repeating: 1, count: 3))
    var (key, line) = (domainKey, entries[domainKey]?.line ?? 0)
    if let range = entries[rangeKey] {
      if let domain = entries[domainKey] {
        throw CubeTextError(
          line: max(range.line, domain.line), .twoDomains(domainKey.rawValue, rangeKey.rawValue))
      }
      lowest = [Float](repeating: range.numbers[0], count: 3)
      highest = [Float](repeating: range.numbers[1], count: 3)
      (key, line) = (rangeKey, range.line)
    } else {
      lowest = entries[.lowest]?.numbers ?? lowest
      highest = entries[.highest]?.numbers ?? highest
    }
    for (low, high) in zip(lowest, highest) where !(high - low > 1e-6) {
      throw CubeTextError(line: line, .emptyDomain(key.rawValue))
    }
    return CubeText.Table(
      size: size, domain: TableDomain(SIMD3(lowest), SIMD3(highest)), rows: [])
  }
}
