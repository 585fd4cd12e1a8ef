extension OutputTemplate {
  /// Why a text is no template, with the place in it.
  package struct ParseError: Error, Hashable, Sendable {
    /// Byte of the template's text.
    package var offset: Int
    package var message: String
  }

  /// What a template names: a rendition has all fields, the report of a job none of one rendition.
  package enum Purpose: Hashable, Sendable {
    case rendition, report

    package var fieldNames: [String] {
      switch self {
      case .rendition:
        [
          "job", "directory", "stem", "sourceExtension", "rendition", "extension", "type", "width",
          "height", "captured", "sha256",
        ]
      case .report: ["job", "directory", "stem", "sourceExtension", "captured", "sha256"]
      }
    }
  }

  /// Reads `{field}`, `{field:argument}`, and `{{` and `}}` for braces themselves.
  package static func parse(_ text: String, for purpose: Purpose = .rendition)
    throws(ParseError) -> OutputTemplate
  {
    var parser = OutputTemplateParser(text: Array(text.utf8), purpose: purpose)
    return try parser.parse()
  }
}

struct OutputTemplateParser {
  let text: [UInt8]
  let purpose: OutputTemplate.Purpose
  private var position = 0
  private var pieces: [OutputTemplate.Piece] = []

  init(text: [UInt8], purpose: OutputTemplate.Purpose) {
    self.text = text
    self.purpose = purpose
  }

  private typealias ParseError = OutputTemplate.ParseError

  mutating func parse() throws(OutputTemplate.ParseError) -> OutputTemplate {
    guard !text.isEmpty else { throw ParseError(offset: 0, message: "the template is empty") }
    while position < text.count {
      let byte = text[position]
      let isDoubled = position + 1 < text.count && text[position + 1] == byte
      switch byte {
      case UInt8(ascii: "{") where isDoubled, UInt8(ascii: "}") where isDoubled:
        append([byte])
        position += 2
      case UInt8(ascii: "{"): try parseField()
      case UInt8(ascii: "}"):
        throw ParseError(
          offset: position, message: "this } has no {; a brace itself is written as }}")
      case 0:
        throw ParseError(offset: position, message: "a name cannot have a NUL byte")
      default:
        append([byte])
        position += 1
      }
    }
    try checkComponents()
    return OutputTemplate(pieces: pieces)
  }

  private mutating func append(_ literal: [UInt8]) {
    if case .literal(let before)? = pieces.last {
      pieces[pieces.count - 1] = .literal(before + literal)
    } else {
      pieces.append(.literal(literal))
    }
  }

  private mutating func parseField() throws(OutputTemplate.ParseError) {
    let opening = position
    guard let closing = text[opening...].firstIndex(of: UInt8(ascii: "}")) else {
      throw ParseError(
        offset: opening, message: "this { is never closed; a brace itself is written as {{")
    }
    let inside = text[(opening + 1)..<closing]
    let colon = inside.firstIndex(of: UInt8(ascii: ":"))
    let name = String(decoding: inside[..<(colon ?? closing)], as: UTF8.self)
    let argument = colon.map { String(decoding: inside[($0 + 1)...], as: UTF8.self) }
    position = closing + 1
    switch (name, argument) {
    case ("captured", let format?):
      try appendDate(format, at: (colon ?? opening) + 1)
      return
    case ("captured", nil):
      throw ParseError(
        offset: opening, message: "{captured} needs a format, such as {captured:%Y-%m-%d}")
    case ("sha256", let digits):
      guard let count = digits.map({ Int($0) }) ?? 64, (1...64).contains(count) else {
        throw ParseError(
          offset: (colon ?? opening) + 1,
          message: "{sha256:N} wants a number of digits from 1 to 64")
      }
      pieces.append(.field(.sha256(digits: count)))
      return
    default: break
    }
    guard purpose.fieldNames.contains(name), let field = OutputTemplate.Field(plain: name) else {
      throw ParseError(offset: opening, message: refusal(of: name))
    }
    if let colon {
      throw ParseError(offset: colon, message: "{\(name)} takes nothing after a colon")
    }
    pieces.append(.field(field))
  }

  private func refusal(of name: String) -> String {
    if purpose == .report, OutputTemplate.Purpose.rendition.fieldNames.contains(name) {
      return "{\(name)} belongs to one rendition, and a report is for all of a job"
    }
    let known = purpose.fieldNames
    let shown = DisplayText.escaped(name)
    if let near = Spelling.nearest(to: name, among: known) {
      return "there is no field {\(shown)}; did you mean {\(near)}?"
    }
    return "there is no field {\(shown)}; the fields are " + known.joined(separator: ", ")
  }

  /// A slash in a date format makes folders, since the template's author wrote it there.
  private mutating func appendDate(_ format: String, at offset: Int)
    throws(OutputTemplate.ParseError)
  {
    guard !format.isEmpty else {
      throw ParseError(
        offset: offset, message: "{captured:…} needs a format, such as {captured:%Y-%m-%d}")
    }
    let bytes = Array(format.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0 {
        throw ParseError(offset: offset + index, message: "a name cannot have a NUL byte")
      }
      guard bytes[index] == UInt8(ascii: "%") else {
        index += 1
        continue
      }
      let letter = index + 1 < bytes.count ? Character(Unicode.Scalar(bytes[index + 1])) : nil
      guard let letter, CaptureDate.conversions.contains(letter) else {
        let known = CaptureDate.conversions.map { "%\($0)" }.joined(separator: " ")
        throw ParseError(
          offset: offset + index, message: "this is no part of a date; there are \(known)")
      }
      index += 2
    }
    let parts = format.split(separator: "/", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      if number > 0 { append([UInt8(ascii: "/")]) }
      if !part.isEmpty { pieces.append(.field(.captured(format: String(part)))) }
    }
  }

  /// Refuses what no value can make right: an absolute name, and literal `.`, `..` or empty folders.
  private func checkComponents() throws(OutputTemplate.ParseError) {
    // Fields stand as one letter here; {directory} may be empty, which `path` allows for.
    var skeleton: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .literal(let bytes): skeleton += bytes
      case .field: skeleton.append(UInt8(ascii: "f"))
      }
    }
    if let fault = RelativePath.fault(in: skeleton) {
      throw ParseError(offset: 0, message: "the template " + fault.message)
    }
  }
}

extension OutputTemplate.Field {
  /// A field that takes no argument.
  init?(plain name: String) {
    switch name {
    case "job": self = .job
    case "directory": self = .directory
    case "stem": self = .stem
    case "sourceExtension": self = .sourceExtension
    case "rendition": self = .rendition
    case "extension": self = .extension
    case "type": self = .type
    case "width": self = .width
    case "height": self = .height
    default: return nil
    }
  }

  /// Whether the value is known before the picture is opened.
  package var isKnownBefore: Bool {
    switch self {
    case .width, .height, .captured, .sha256: false
    default: true
    }
  }
}
