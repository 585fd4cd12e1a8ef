import FoundationEssentials
import JSONText
import RenderModel

extension JournalLine {
  /// Why a line is not believed.
  package enum Flaw: String, Error, Sendable, CaseIterable {
    case noChecksum = "the line has no checksum"
    case wrongChecksum = "the checksum does not fit the line"
    case longerThanAllowed = "the line is longer than a journal line can be"
    case unknownForm = "the line is whole but of a form that this version does not know"
  }

  private static let opening = Array(",\"checksum\":\"".utf8)
  private static let closing = Array("\"}".utf8)
  private static let suffixLength = opening.count + 8 + closing.count

  /// The line with its checksum and newline.
  package func encoded() throws(JournalError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json: Data
    do {
      json = try encoder.encode(self)
    } catch {
      throw JournalError(.notEncodable, DisplayText.escaped("\(error)"))
    }
    var line = JSONEscaping.hardened(Array(json))
    line.removeLast()
    let checksum = CRC32C.text(CRC32C.checksum(line))
    return line + Self.opening + Array(checksum.utf8) + Self.closing + [UInt8(ascii: "\n")]
  }

  /// Reads a line without its newline; nothing of a flawed one is believed.
  package static func decode(_ line: ArraySlice<UInt8>) throws(Flaw) -> JournalLine {
    try decodeBody(verified(line))
  }

  /// As `decode`, but nil for a whole intent, which is not taken apart: about half of a journal.
  static func decodeUnlessIntent(_ line: ArraySlice<UInt8>) throws(Flaw) -> JournalLine? {
    let body = try verified(line)
    return isIntent(body) ? nil : try decodeBody(body)
  }

  /// What a line says of itself, also one of a later version.
  package struct Head: Decodable, Sendable {
    package var kind: String
    /// nil for a line that is not about one job.
    package var job: String?
  }

  /// nil for a line whose checksum does not fit.
  package static func head(_ line: ArraySlice<UInt8>) -> Head? {
    guard let body = try? verified(line) else { return nil }
    return try? JSONDecoder().decode(Head.self, from: Data(body + [UInt8(ascii: "}")]))
  }

  /// Inside a JSON string the quotes would be escaped, so the pattern can only be a member.
  private static func isIntent(_ body: ArraySlice<UInt8>) -> Bool {
    var rest = body
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      if rest[colon...].starts(with: intentValue), rest[..<colon].suffix(6).elementsEqual(kindKey) {
        return true
      }
      rest = rest[(colon + 1)...]
    }
    return false
  }

  private static let kindKey = Array("\"kind\"".utf8)
  private static let intentValue = Array(":\"intent\"".utf8)

  private static func decodeBody(_ body: ArraySlice<UInt8>) throws(Flaw) -> JournalLine {
    do {
      return try JSONDecoder().decode(JournalLine.self, from: Data(body + [UInt8(ascii: "}")]))
    } catch {
      throw .unknownForm
    }
  }

  /// What the checksum covers, once it is found to fit.
  private static func verified(_ line: ArraySlice<UInt8>) throws(Flaw) -> ArraySlice<UInt8> {
    let body = line.dropLast(suffixLength)
    let suffix = line.suffix(suffixLength)
    let digits = suffix.dropFirst(opening.count).prefix(8)
    guard !body.isEmpty, suffix.starts(with: opening), suffix.suffix(2).elementsEqual(closing)
    else { throw .noChecksum }
    let expected = CRC32C.text(CRC32C.checksum(body))
    guard digits.elementsEqual(expected.utf8) else { throw .wrongChecksum }
    return body
  }
}

extension JournalLine: Codable {
  private enum CodingKeys: String, CodingKey { case kind }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .kind) {
    case "run": self = .run(try RunStart(from: decoder))
    case "intent": self = .intent(try Intent(from: decoder))
    case "report": self = .report(try JobReport(from: decoder))
    case "release": self = .release(try QuarantineRelease(from: decoder))
    case "end": self = .end(try RunEnd(from: decoder))
    default: throw Flaw.unknownForm
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .run(let start): try start.encode(to: encoder)
    case .intent(let intent): try intent.encode(to: encoder)
    case .report(let report): try report.encode(to: encoder)
    case .release(let release): try release.encode(to: encoder)
    case .end(let end): try end.encode(to: encoder)
    }
  }
}
