import Glibc
import SystemSupport

/// Small pictures drawn by the tests, as bytes that no library of ours made.
enum Drawing {
  /// An 8 x 8 grey baseline JPEG.
  ///
  /// The quantisation and Huffman tables are those of ISO/IEC 10918-1, Annex K, cut to what one
  /// flat block needs.
  static let jpeg: [UInt8] = {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 16, count: 64)
    bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    // One code of one bit for DC category 0, and one for end of block.
    for table: UInt8 in [0x00, 0x10] {
      bytes += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 15) + [0]
    }
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    bytes += [0x3F, 0xFF, 0xD9]
    return bytes
  }()

  static func jpegFile() throws -> OwnedDescriptor { try memoryFile(jpeg) }

  static func memoryFile(_ bytes: [UInt8]) throws -> OwnedDescriptor {
    let file = try MemoryFile.create(name: "drawing")
    try FileTransfer.writeAll(file, bytes)
    try MemoryFile.seal(file)
    return file
  }
}
