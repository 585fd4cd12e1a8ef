import CImagingShim
import RenderModel

/// What an encoded file says about itself.
struct OutputFacts: Hashable, Sendable {
  var size: PixelSize
  var bitDepth: Int
  var colours: Colours

  enum Colours: Hashable, Sendable {
    /// SHA-256 of the embedded profile; nil when there is none.
    case profile(String?)
    /// Told by numbers of the format's own, which are there or not.
    case coded(Bool)

    /// `digest`: of the profile that was embedded; nil when nobody says.
    func agree(with digest: String?) -> Bool {
      switch self {
      case .profile(let found): digest == nil || found == digest
      case .coded(let isThere): isThere
      }
    }
  }

  /// Opens the file as a stranger would, and decodes nothing.
  static func read(
    _ descriptor: Int32, _ content: ContentType, head: [UInt8]
  ) throws(LibraryError) -> OutputFacts {
    if content.type == .jpegXL { return try jpegXL(descriptor) }
    let image = try PictureInput(descriptor, content).decoder.image(isStrict: true, reduction: 1)
    let isHEIF = content.type == .avif || content.type == .heic
    let decoded =
      image.format == MINILAB_FORMAT_UINT8 ? 8 : image.format == MINILAB_FORMAT_UINT16 ? 16 : 32
    return OutputFacts(
      size: image.size, bitDepth: (isHEIF ? pixelInformation(head) : nil) ?? decoded,
      colours: .profile(image.bytes(profileField).map(digest(of:))))
  }

  private static func jpegXL(_ descriptor: Int32) throws(LibraryError) -> OutputFacts {
    let header = try JXLHeader(FileBytes.whole(descriptor))
    return OutputFacts(
      size: header.size, bitDepth: header.bits,
      colours: .coded(header.profile != nil || header.coded != nil))
  }

  /// What a profile is compared by.
  static func digest(of profile: [UInt8]) -> String { Checksum().adding(profile).text }

  /// The depth of three channels by the `pixi` property (ISO/IEC 23008-12, 6.5.6); nil without one.
  static func pixelInformation(_ head: [UInt8]) -> Int? {
    let sign = Array("pixi".utf8) + [0, 0, 0, 0, 3]
    guard let start = head.offset(of: sign), start + sign.count < head.count else { return nil }
    return Int(head[start + sign.count])
  }
}
