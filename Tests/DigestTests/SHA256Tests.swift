import Digest
import Testing

/// Vectors of NIST's secure hashing examples (FIPS 180-4).
@Suite struct SHA256Tests {
  static let vectors: [(String, String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
        + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]

  @Test("published digests come out", arguments: vectors)
  func published(text: String, digest: String) {
    #expect(SHA256Value.of(Array(text.utf8)).hex == digest)
  }

  @Test("a million letters in uneven pieces give the published digest")
  func millionLetters() {
    let digest = SHA256Digest()
    var left = 1_000_000
    var size = 1
    while left > 0 {
      let count = min(size, left)
      digest.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
      left -= count
      size = size * 3 % 10_007
    }
    #expect(
      digest.finalize().hex
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("after its end a digest begins anew")
  func restarts() {
    let digest = SHA256Digest()
    digest.update(Array("first".utf8))
    _ = digest.finalize()
    digest.update(Array("abc".utf8))
    #expect(digest.finalize() == SHA256Value.of(Array("abc".utf8)))
  }

  @Test("hexadecimal digits of either case are read back")
  func hex() {
    let value = SHA256Value.of([1, 2, 3])
    #expect(SHA256Value(hex: value.hex) == value)
    #expect(SHA256Value(hex: value.hex.uppercased()) == value)
    #expect("\(value)" == value.hex)
  }

  @Test(
    "what is no digest is refused",
    arguments: ["", "00", String(repeating: "g", count: 64), String(repeating: "0", count: 63)])
  func refused(text: String) {
    #expect(SHA256Value(hex: text) == nil)
    #expect(SHA256Value(bytes: Array(text.utf8.prefix(31))) == nil)
  }
}
