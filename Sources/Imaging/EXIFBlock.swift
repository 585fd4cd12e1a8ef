/// A raw EXIF block, read just far enough for what the library does not tell.
package enum EXIFBlock {
  /// The orientation of the main picture, 1…8; nil when there is none or the block is broken.
  package static func orientation(of bytes: [UInt8]) -> Int? {
    var block = bytes[...]
    if block.starts(with: Array("Exif\0\0".utf8)) { block = block.dropFirst(6) }
    let bigEndian = block.starts(with: Array("MM".utf8))
    guard bigEndian || block.starts(with: Array("II".utf8)) else { return nil }
    let data = Array(block)

    func number(at offset: Int, bytes count: Int) -> Int? {
      guard offset >= 0, offset <= data.count - count else { return nil }
      let piece = Array(data[offset..<(offset + count)])
      return (bigEndian ? piece : piece.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2)
    else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(at: entry, bytes: 2) else { return nil }
      guard tag == 0x0112 else { continue }
      return number(at: entry + 8, bytes: 2).flatMap { (1...8).contains($0) ? $0 : nil }
    }
    return nil
  }
}
