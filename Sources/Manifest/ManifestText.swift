import JSONText
import RenderModel

/// One element of `jobs` as text, before anything is known about it.
struct RawEntry {
  /// Finds the element again: its place in `jobs`, or the byte at which its line begins.
  var position: Int
  /// The line on which it begins, counted from 1.
  var line: Int
  var text: ArraySlice<UInt8>
  /// `jobs[3]`; empty in JSON Lines, where the line says it.
  var label: String
  var isTooLong = false
}

/// The text of a manifest in one of its two forms, read from the beginning as often as needed.
final class ManifestText {
  private enum Form {
    case object([UInt8], elements: [Range<Int>])
    case lines(header: ManifestLine)
  }

  let bytes: ManifestBytes
  private let form: Form
  let header: ManifestHeader
  /// What is wrong with everything but the jobs.
  private(set) var problems: [ManifestProblem] = []
  /// Where lines end in the object form, for problems; made when the first one is found.
  private lazy var lineStarts = Self.lineStarts(of: form)

  init(_ bytes: ManifestBytes) throws(ManifestError) {
    self.bytes = bytes
    var findings = Findings()
    if let line = try Self.headerLine(of: bytes) {
      form = .lines(header: line)
      header = Self.header(line.text, &findings)
    } else {
      let text = try bytes.all()
      var elements: [Range<Int>] = []
      header = Self.object(text, &findings, &elements)
      form = .object(text, elements: elements)
    }
    let whole = wholeEntry
    problems = findings.list.map { problem($0, in: whole) }
  }

  var isLines: Bool {
    if case .lines = form { return true }
    return false
  }

  /// The elements of `jobs` or the lines after the header, as long as the body answers true.
  func forEach(
    onBytes: (([UInt8]) -> Void)? = nil, _ body: (RawEntry) throws -> Bool
  ) throws {
    switch form {
    case .object(let text, let elements):
      onBytes?(text)
      for (index, range) in elements.enumerated() {
        let entry = RawEntry(
          position: index, line: 0, text: text[range], label: "jobs[\(index)]")
        guard try body(entry) else { return }
      }
    case .lines(let header):
      var reader = LineReader(bytes, onBytes: onBytes)
      while let line = try reader.next() {
        if line.number <= header.number || line.isBlank { continue }
        let entry = RawEntry(
          position: line.offset, line: line.number, text: line.text, label: "",
          isTooLong: line.isTooLong)
        guard try body(entry) else { return }
      }
    }
  }

  /// An element that was seen before; nil when the file no longer has it.
  func entry(at position: Int, line: Int) throws(ManifestError) -> RawEntry? {
    switch form {
    case .object(let text, let elements):
      guard elements.indices.contains(position) else { return nil }
      return RawEntry(
        position: position, line: line, text: text[elements[position]],
        label: "jobs[\(position)]")
    case .lines:
      var length = 4096
      while length <= LineReader.longestLine {
        let piece = try bytes.read(at: position, count: length)
        if let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
          return RawEntry(position: position, line: line, text: piece[..<end], label: "")
        }
        if piece.count < length {
          return RawEntry(position: position, line: line, text: piece[...], label: "")
        }
        length *= 8
      }
      return nil
    }
  }

  /// Gives a finding its file, line and full field.
  func problem(_ finding: Finding, in entry: RawEntry) -> ManifestProblem {
    let place = place(of: finding.offset, in: entry)
    return ManifestProblem(
      file: bytes.path, line: place.line, column: place.column,
      field: Findings.joined(entry.label, finding.field), message: finding.message)
  }

  func place(of offset: Int, in entry: RawEntry) -> JSONPlace {
    switch form {
    case .object(let text, _):
      let line = Self.lastIndex(in: lineStarts, notAbove: offset)
      let end = min(max(offset, lineStarts[line]), text.count)
      return JSONPlace(line: line + 1, column: JSONPlace.column(text[lineStarts[line]..<end]))
    case .lines:
      let end = min(max(offset, entry.text.startIndex), entry.text.endIndex)
      return JSONPlace(
        line: entry.line, column: JSONPlace.column(entry.text[entry.text.startIndex..<end]))
    }
  }

  /// The line on which an element of `jobs` begins; 1 in JSON Lines.
  func line(ofElement position: Int) -> Int {
    guard case .object(_, let elements) = form, elements.indices.contains(position) else {
      return 1
    }
    return Self.lastIndex(in: lineStarts, notAbove: elements[position].lowerBound) + 1
  }

  private var wholeEntry: RawEntry {
    switch form {
    case .object(let text, _): RawEntry(position: 0, line: 1, text: text[...], label: "")
    case .lines(let header):
      RawEntry(position: header.offset, line: header.number, text: header.text, label: "")
    }
  }

  private static func lineStarts(of form: Form) -> [Int] {
    guard case .object(let text, _) = form else { return [0] }
    var starts = [0]
    for index in text.indices where text[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    return starts
  }

  private static func lastIndex(in starts: [Int], notAbove offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

// MARK: - The form and the header

extension ManifestText {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The first line of JSON Lines; nil when the text is one object.
  ///
  /// A first line that is an object by itself, with more after it, is a header. So is one that is
  /// meant to be, when the next line begins an object: then its mistake is reported, not the form.
  private static func headerLine(of bytes: ManifestBytes) throws(ManifestError) -> ManifestLine? {
    var reader = LineReader(bytes)
    guard let first = try nextFilled(&reader), !first.isTooLong, first.text.count < 1 << 20 else {
      return nil
    }
    let line = ManifestLine(
      number: first.number, offset: first.offset, text: Array(first.text)[...])
    guard let second = try nextFilled(&reader) else { return nil }
    let text = line.text.starts(with: byteOrderMark) ? line.text.dropFirst(3) : line.text
    let trimmed = text.drop(while: isSpace).reversed().drop(while: isSpace)
    let looksWhole =
      trimmed.last == UInt8(ascii: "{") && trimmed.first == UInt8(ascii: "}")
      && second.text.first { !isSpace($0) } == UInt8(ascii: "{")
    if looksWhole { return line }
    let parsed = try? JSONParser.parse(text)
    return parsed?.value.object == nil ? nil : line
  }

  private static func nextFilled(_ reader: inout LineReader) throws(ManifestError)
    -> ManifestLine?
  {
    while let line = try reader.next() {
      if !line.isBlank { return line }
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private static func header(_ text: ArraySlice<UInt8>, _ findings: inout Findings)
    -> ManifestHeader
  {
    guard let document = parse(text, &findings) else { return ManifestHeader() }
    return decode(document, text, as: ManifestKeys.header, &findings)
  }

  private static func object(
    _ text: [UInt8], _ findings: inout Findings, _ elements: inout [Range<Int>]
  ) -> ManifestHeader {
    guard let document = parse(text[...], withoutElementsOf: "jobs", &findings) else {
      return ManifestHeader()
    }
    elements = document.elements
    return decode(document, text[...], as: ManifestKeys.manifest, &findings)
  }

  /// nil and a finding for text that is not JSON; a byte order mark is a finding and passed over.
  private static func parse(
    _ text: ArraySlice<UInt8>, withoutElementsOf key: String? = nil, _ findings: inout Findings
  ) -> JSONParser.Document? {
    var text = text
    if text.starts(with: byteOrderMark) {
      findings.add(
        "the text begins with a byte order mark; save it as UTF-8 without one",
        at: text.startIndex)
      text = text.dropFirst(byteOrderMark.count)
    }
    do {
      return try JSONParser.parse(text, withoutElementsOf: key)
    } catch {
      findings.add(error.message, at: error.offset)
      return nil
    }
  }

  private static func decode(
    _ document: JSONParser.Document, _ text: ArraySlice<UInt8>, as shape: ObjectShape,
    _ findings: inout Findings
  ) -> ManifestHeader {
    var decoder = EntryDecoder(text: text)
    // Those inside the jobs are found with the jobs.
    let inJobs =
      (document.elements.first?.lowerBound ?? 0)..<(document.elements.last?.upperBound ?? 0)
    decoder.addDuplicates(
      document.duplicates.filter { !inJobs.contains($0.offset) }, of: document.value)
    let header = decoder.header(document.value, as: shape)
    for finding in decoder.findings.list {
      findings.add(finding.message, at: finding.offset, field: finding.field)
    }
    return header
  }
}
