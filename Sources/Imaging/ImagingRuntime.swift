import CImagingShim
package import RenderModel

/// The imaging libraries of this process.
package enum ImagingRuntime {
  /// The loaders that may run; every other one stays blocked, whatever a file claims to be.
  ///
  /// HEIF, JPEG XL and JPEG 2000 do not pass the library's loaders: `PictureInput` hands them to decoders
  /// of ours over libheif, libjxl and OpenJPEG.
  private static let loaders = [
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadTiff",
    "VipsForeignLoadNsgif",
  ]

  /// The parts whose versions decide what the pixels are.
  private static let parts = [
    "libvips", "libheif", "libde265", "libaom", "libx265", "libjxl", "openjpeg", "libwebp",
    "libpng", "libtiff", "littlecms", "exiv2",
  ]

  /// The types that this machine's libraries can encode; known once the libraries are started.
  package static let writable: [UniformType] = UniformType.writable.filter {
    minilab_can_save($0.encoder) != 0
  }

  /// Why the libraries could not be started.
  package struct StartFailure: Error, Equatable {
    package var detail: String
  }

  private static let started: Result<[String: String], StartFailure> = {
    do throws(LibraryError) {
      try unsafe LibraryError.status { unsafe minilab_start("minilab-worker", $0) }
      try unsafe LibraryError.status { unsafe minilab_heif_start($0) }
      try unsafe LibraryError.status { unsafe minilab_metadata_start($0) }
      for loader in loaders { unsafe minilab_allow(loader) }
      minilab_block_untrusted()
    } catch {
      return .failure(StartFailure(detail: "the imaging libraries do not start: \(error.text)"))
    }
    var versions: [String: String] = [:]
    for part in parts { versions[part] = version(of: part) }
    // Asked for before any fork, so that no job has to.
    _ = writable
    versions["libraw"] = RAWFile.version
    return .success(versions)
  }()

  /// Starts the libraries, once; leaves one thread and runs no image operation, so that fork is safe.
  ///
  /// Untrusted loaders are blocked, the operation cache and vector code are off, each pipeline has one
  /// thread, and what the libraries would print is collected.
  /// Gives versions by name.
  package static func start() throws(StartFailure) -> [String: String] {
    try started.get()
  }

  /// The rows that the library's caches and buffers are sized by, and those of a strip.
  ///
  /// False where the library cannot be told; then it keeps its own, which are larger and as right.
  @discardableResult
  static func setBufferRows(tile: Int32, strip: Int32) -> Bool {
    minilab_set_buffer_rows(tile, strip) == 0
  }

  private static func version(of part: String) -> String? {
    var text = [CChar](repeating: 0, count: 64)
    guard unsafe minilab_version(part, &text, text.count) != 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
