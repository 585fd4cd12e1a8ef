import CImagingShim
import RenderModel

/// A TIFF of a kind that the library's loader does not read, or does not read rightly: decoded by libtiff,
/// put together here, all in memory.
final class TIFFDecoder: PictureDecoder {
  let losses: [String]
  let decodesWhole = true
  private let file: FileBytes
  private let header: TIFFHeader
  private let plan: TIFFPlan
  private let pages: TIFFPages

  /// nil when the library's loader reads it.
  init?(_ file: consuming FileBytes, _ pages: TIFFPages) throws(LibraryError) {
    let header = try TIFFFile(file, page: pages.shown).read()
    guard let plan = try TIFFPlan(header) else { return nil }
    self.header = header
    self.plan = plan
    self.pages = pages
    losses = plan.losses + pages.losses
    self.file = file
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    let image = try PipelineImage(
      decoded: minilab_form(
        width: Int32(clamping: header.size.width), height: Int32(clamping: header.size.height),
        bands: Int32(plan.bands), format: plan.format, model: plan.model)
    ) { [self] rows throws(LibraryError) in
      try TIFFAssembly(plan, header, isStrict: isStrict).run(
        TIFFFile(file, page: pages.shown), into: rows)
    }
    let result = try image.copy()
    if let profile = header.profile { result.set(profileField, to: profile) }
    result.set("orientation", to: Orientation(header.orientation)?.number ?? 1)
    result.set("n-pages", to: max(1, pages.pictures))
    return result
  }
}

/// A TIFF of a kind that the library's loader reads.
final class StreamedTIFFDecoder: PictureDecoder {
  let losses: [String]
  let decodesWhole = false
  private let library: LibraryDecoder
  private let pages: TIFFPages

  init(_ file: consuming FileBytes, _ pages: TIFFPages) throws(LibraryError) {
    self.pages = pages
    losses = pages.losses
    library = LibraryDecoder(try PictureSource(file), MINILAB_CODEC_TIFF, page: pages.shown)
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    let image = try library.image(isStrict: isStrict, reduction: reduction)
    let count = max(1, pages.pictures)
    guard image.integer("n-pages") ?? 1 != count else { return image }
    let result = try image.copy()
    // The library counts reduced pictures and masks as pages.
    result.set("n-pages", to: count)
    return result
  }
}

/// What a TIFF says of the picture that is shown.
struct TIFFHeader: Hashable, Sendable {
  enum Kind: Int, Hashable, Sendable {
    case unsigned = 1
    case signed, float, untyped
  }

  var size: PixelSize
  var bits: Int
  var samples: Int
  var compression: Int
  var photometric: Int
  var kind: Kind?
  var orientation: Int
  var isPlanar: Bool
  var isTiled: Bool
  var extras: Int
  var firstExtra: Int
  /// Of a tile or a strip.
  var block: PixelSize
  var blockBytes: Int
  var rowBytes: Int
  var profile: [UInt8]?
  /// Red, green and blue of each index, 16 bits each.
  var colourMap: [[UInt16]] = []

  var hasAlpha: Bool { extras > 0 && (firstExtra == 1 || firstExtra == 2) }
  var isPremultiplied: Bool { extras > 0 && firstExtra == 1 }
}

/// An open TIFF of bytes in memory.
@safe
struct TIFFFile: ~Copyable {
  private let handle: OpaquePointer

  /// The bytes must outlive this.
  init(_ file: borrowing FileBytes, page: Int) throws(LibraryError) {
    let result = unsafe file.withBytes { bytes -> Result<OpaquePointer, LibraryError> in
      unsafe Result { () throws(LibraryError) in
        try unsafe LibraryError.object {
          unsafe minilab_tiff_open(bytes.baseAddress, bytes.count, Int32(page), $0)
        }
      }
    }
    unsafe handle = try result.get()
  }

  deinit { unsafe minilab_tiff_release(handle) }

  func read() throws(LibraryError) -> TIFFHeader {
    var found = unsafe minilab_tiff_header()
    try unsafe LibraryError.status { unsafe minilab_tiff_read(handle, &found, $0) }
    var header = unsafe TIFFHeader(found)
    header.colourMap = colourMap(bits: header.bits)
    return header
  }

  private func colourMap(bits: Int) -> [[UInt16]] {
    var red: UnsafePointer<UInt16>?
    var green: UnsafePointer<UInt16>?
    var blue: UnsafePointer<UInt16>?
    guard (1...16).contains(bits),
      unsafe minilab_tiff_colour_map(handle, &red, &green, &blue) != 0,
      let red = unsafe red, let green = unsafe green, let blue = unsafe blue
    else { return [] }
    return unsafe [red, green, blue].map {
      unsafe Array(UnsafeBufferPointer(start: $0, count: 1 << bits))
    }
  }

  /// Decodes the tile or strip that a pixel lies in.
  func block(
    left: Int, top: Int, plane: Int, into target: inout [UInt8]
  ) throws(LibraryError) {
    let count = target.count
    try unsafe LibraryError.status {
      unsafe minilab_tiff_block(
        handle, Int32(left), Int32(top), Int32(plane), &target, count, $0)
    }
  }

  /// Eight bits of red, green, blue and premultiplied alpha, as stored.
  func rgba(pixels: Int, isStrict: Bool) throws(LibraryError) -> [UInt32] {
    var result = [UInt32](repeating: 0, count: pixels)
    try unsafe LibraryError.status {
      unsafe minilab_tiff_rgba(handle, isStrict ? 1 : 0, &result, pixels, $0)
    }
    return result
  }
}

extension TIFFHeader {
  init(_ found: minilab_tiff_header) {
    size = unsafe PixelSize(width: Int(found.width), height: Int(found.height))
    bits = unsafe Int(found.bits)
    samples = unsafe Int(found.samples)
    compression = unsafe Int(found.compression)
    photometric = unsafe Int(found.photometric)
    kind = unsafe Kind(rawValue: Int(found.kind))
    orientation = unsafe Int(found.orientation)
    isPlanar = unsafe found.is_planar != 0
    isTiled = unsafe found.is_tiled != 0
    extras = unsafe Int(found.extras)
    firstExtra = unsafe Int(found.first_extra)
    block = unsafe PixelSize(width: Int(found.block_width), height: Int(found.block_height))
    blockBytes = unsafe Int(clamping: found.block_bytes)
    rowBytes = unsafe Int(clamping: found.row_bytes)
    if let start = unsafe found.profile.bytes {
      profile = unsafe [UInt8](UnsafeBufferPointer(start: start, count: found.profile.length))
    }
  }
}
