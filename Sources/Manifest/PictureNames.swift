import RenderModel

/// Names that people give to photos; what a file is, its bytes alone decide.
enum PictureNames {
  private static let extensions: Set<String> = UniformType.rawExtensions.union([
    "jpg", "jpeg", "png", "webp", "tif", "tiff", "heic", "heif", "avif", "gif", "dng", "jxl", "jp2",
    "j2k", "jpx", "mpo", "hif", "avifs", "heics",
  ])

  static func contain(_ path: RelativePath) -> Bool {
    extensions.contains(String(decoding: path.pathExtension, as: UTF8.self).lowercased())
  }
}
