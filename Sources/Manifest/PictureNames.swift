import RenderModel

/// Names that people give to photos; what a file is, its bytes alone decide.
enum PictureNames {
  private static let extensions: Set<String> = [
    "jpg", "jpeg", "png", "webp", "tif", "tiff", "heic", "heif", "avif", "gif", "dng", "cr2", "cr3",
    "crw", "nef", "nrw", "arw", "sr2", "srf", "raf", "rw2", "rwl", "orf", "pef", "srw", "3fr",
    "fff",
    "iiq", "x3f", "mrw", "kdc", "dcr", "erf", "mef", "mos", "jxl", "jp2", "j2k", "jpx", "mpo",
    "hif", "avifs", "heics",
  ]

  static func contain(_ path: RelativePath) -> Bool {
    extensions.contains(String(decoding: path.pathExtension, as: UTF8.self).lowercased())
  }
}
