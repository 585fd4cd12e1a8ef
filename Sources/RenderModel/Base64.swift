/// Base64 of RFC 4648 with padding, for names that are not UTF-8.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let piece = bytes[index..<min(index + 3, bytes.count)]
      var word: UInt32 = 0
      for offset in 0..<3 {
        word = word << 8 | UInt32(index + offset < bytes.count ? bytes[index + offset] : 0)
      }
      for position in 0..<4 {
        let six = Int(word >> UInt32(18 - 6 * position)) & 0x3F
        result.append(position <= piece.count ? alphabet[six] : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// nil when the text is not strictly padded base64, or is not the one way to write its bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    var result: [UInt8] = []
    for start in stride(from: 0, to: characters.count, by: 4) {
      var word: UInt32 = 0
      var padding = 0
      for character in characters[start..<(start + 4)] {
        if character == UInt8(ascii: "="), start + 4 == characters.count {
          padding += 1
          word <<= 6
        } else if padding == 0, let six = alphabet.firstIndex(of: character) {
          word = word << 6 | UInt32(six)
        } else {
          return nil
        }
      }
      guard padding <= 2, word & (1 << UInt32(8 * padding) - 1) == 0 else { return nil }
      let bytes = [UInt8(word >> 16 & 0xFF), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)]
      result += bytes.prefix(3 - padding)
    }
    return result
  }
}
