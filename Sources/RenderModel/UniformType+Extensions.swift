extension UniformType {
  /// What files of a type are called, in small letters; types that are not here may be called anything.
  private static let fileExtensions: [(type: UniformType, extensions: Set<String>)] = [
    (.jpeg, ["jpg", "jpeg", "jpe", "jfif", "jif", "mpo", "insp"]), (.png, ["png", "apng"]),
    (.webP, ["webp"]), (.gif, ["gif"]), (.tiff, ["tif", "tiff", "btf", "tf8"]),
    (.heic, ["heic", "heif", "hif", "heics", "heifs"]),
    (.heif, ["heif", "heic", "hif", "heifs", "avci"]), (.avif, ["avif", "avifs"]),
    (.jpegXL, ["jxl"]), (.jpeg2000, ["jp2", "j2k", "j2c", "jpc", "jpf", "jpx", "jpm"]),
    (.bmp, ["bmp", "dib"]), (.pdf, ["pdf", "ai"]), (.svg, ["svg", "svgz"]), (.dng, ["dng"]),
  ]

  /// What to say of a name whose extension belongs to another type; nil when it says nothing wrong.
  package func note(onExtension name: String) -> String? {
    let small = name.lowercased()
    guard let own = Self.fileExtensions.first(where: { $0.type == self })?.extensions,
      !own.contains(small),
      Self.fileExtensions.contains(where: { $0.extensions.contains(small) })
        || Self.rawExtensions.contains(small) || Self.otherExtensions.contains(small)
    else { return nil }
    return "the name ends in .\(DisplayText.escaped(name)), but the bytes are of type \(rawValue)"
  }

  /// What makers call their RAW files, in small letters.
  package static let rawExtensions: Set<String> = [
    "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "raf", "rw2", "rwl", "orf", "pef",
    "srw", "3fr", "fff", "iiq", "x3f", "mrw", "kdc", "dcr", "erf", "mef", "mos",
  ]

  /// Of files that are no pictures, or none that are read.
  private static let otherExtensions: Set<String> = ["mov", "mp4", "psd", "txt"]
}
