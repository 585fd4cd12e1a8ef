import CImagingShim

/// An EXIF block taken apart into the library's fields, for files that its loaders do not read.
enum EXIFFields {
  /// What one segment of a JPEG can hold.
  private static let longest = 65_533

  /// Only on a handle of one's own. The fields are missing when the block is too long or broken.
  static func attach(_ block: [UInt8], to image: borrowing PipelineImage) {
    image.set("exif-data", to: block)
    guard block.count <= longest, let fields = read(block) else { return }
    for (name, text) in fields { image.setText(name, to: text) }
  }

  /// The library takes a block apart only where it reads a file, so it is given the smallest there is.
  private static func read(_ block: [UInt8]) -> [(String, String)]? {
    guard let bytes = FileBytes(carrier(of: block)) else { return nil }
    do throws(LibraryError) {
      let decoder = LibraryDecoder(try PictureSource(bytes), MINILAB_CODEC_JPEG)
      let image = try decoder.image(isStrict: false, reduction: 1)
      return image.fieldNames.filter { $0.hasPrefix("exif-ifd") }.compactMap { name in
        image.text(name).map { (name, $0) }
      }
    } catch {
      return nil
    }
  }

  /// A JPEG of one grey pixel.
  private static func carrier(of block: [UInt8]) -> [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      let length = body.count + 2
      return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }
    var bytes: [UInt8] = [0xFF, 0xD8] + segment(0xE1, block)
    bytes += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    bytes += segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
    let oneCode = [1] + [UInt8](repeating: 0, count: 15) + [0]
    bytes += segment(0xC4, [0x00] + oneCode) + segment(0xC4, [0x10] + oneCode)
    bytes += segment(0xDA, [1, 1, 0, 0, 63, 0])
    return bytes + [0x3F, 0xFF, 0xD9]
  }
}
