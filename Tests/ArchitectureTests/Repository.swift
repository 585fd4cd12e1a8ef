import FoundationEssentials

/// The project's own files.
enum Repository {
  static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  struct Missing: Error { var path: String }

  static func text(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else {
      throw Missing(path: path)
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Paths of the files beneath a folder, relative to the root of the project.
  static func files(beneath folder: String, withExtension end: String = "") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
      .filter { $0.hasSuffix(end) }.sorted().map { "\(folder)/\($0)" }
  }

  /// The source files of all targets that are no tests.
  static func sources(withExtension ends: String...) throws -> [String] {
    try ["Sources", "benchmarks"].flatMap { folder in
      try files(beneath: folder).filter { path in ends.contains { path.hasSuffix(".\($0)") } }
    }
  }

  /// Every target with all that its files import.
  static func importGraph() throws -> ImportGraph {
    let headers = [
      "vips/": "CVips", "libraw/": "CLibRaw", "libheif/": "CHeif", "jxl/": "CJxl",
      "openjpeg.h": "COpenJPEG",
      "tiffio.h": "CTiff", "lcms2.h": "CLittleCMS", "openssl/": "CCrypto", "CSystem.h": "CSystem",
      "CImagingShim.h": "CImagingShim", "CImagingError.h": "CImagingShim",
      "CImagingMetadata.h": "CImagingShim", "CImagingRaw.h": "CImagingShim",
      "CPixelKernels.h": "CPixelKernels", "CLanes.h": "CLanes",
    ]
    var direct: [String: Set<String>] = [:]
    for path in try sources(withExtension: "swift", "c", "cpp", "h") {
      let target = String(path.split(separator: "/")[1])
      let text = try text(path)
      let imports =
        path.hasSuffix(".swift")
        ? ImportLines.modules(inSwift: text) : ImportLines.modules(inC: text, known: headers)
      direct[target, default: []].formUnion(imports.subtracting([target]))
    }
    return ImportGraph(direct: direct)
  }
}
