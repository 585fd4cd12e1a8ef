extension OutputOption {
  /// Every option, in the order in which the documentation has them.
  package static let all: [OutputOption] = [
    quality, bitDepth, maxBytes, minimumQuality, lossless, effort, chromaSubsampling, progressive,
    optimizeCoding, compression, predictor, tileSize,
  ]

  package static func named(_ name: Name) -> OutputOption? { all.first { $0.name == name } }

  private static let lossy: [UniformType] = [.jpeg, .webP, .avif, .heic, .jpegXL]

  private static let quality = OutputOption(
    name: .quality,
    meaning:
      "How much of the picture is kept, from 1 to 100; types that lose nothing pass it over.",
    uses: [Use(types: lossy, form: .integer(1...100), standard: .number(90))],
    isPassedOver: true)

  private static let bitDepth = OutputOption(
    name: .bitDepth,
    meaning: "Bits a sample; 32 are floating-point numbers.",
    uses: [
      Use(types: [.jpeg, .webP], form: .oneOf([8]), standard: .number(8)),
      Use(types: [.png], form: .oneOf([8, 16]), standard: .number(8)),
      Use(types: [.tiff], form: .oneOf([8, 16, 32]), standard: .number(8)),
      Use(types: [.avif, .heic], form: .oneOf([8, 10, 12]), standard: .number(8)),
      Use(types: [.jpegXL], form: .oneOf([8, 10, 12, 16, 32]), standard: .number(8)),
    ])

  private static let maxBytes = OutputOption(
    name: .maxBytes,
    meaning: "How large the file may be at most, in bytes: the highest quality up to the one asked "
      + "for that keeps to it is searched for.",
    uses: [Use(types: lossy, form: .integer(1...1_000_000_000_000), standard: nil)])

  private static let minimumQuality = OutputOption(
    name: .minimumQuality,
    meaning: "How far the search for maxBytes may go down; a rendition that is too large even then "
      + "fails.",
    uses: [Use(types: lossy, form: .integer(1...100), standard: .number(30))])

  private static let lossless = OutputOption(
    name: .lossless,
    meaning: "Every sample is kept as it is, and quality has no effect.",
    uses: [Use(types: [.webP, .jpegXL], form: .boolean, standard: .flag(false))])

  private static let effort = OutputOption(
    name: .effort,
    meaning:
      "How much work goes into a smaller file, from 1, which is fast, upwards; the picture is "
      + "hardly another, the time is. Lossless JPEG XL takes 3 when nothing is said.",
    uses: [
      Use(types: [.png, .webP], form: .integer(1...9), standard: .number(6)),
      Use(types: [.avif], form: .integer(1...9), standard: .number(2)),
      Use(types: [.heic], form: .integer(1...9), standard: .number(5)),
      Use(types: [.jpegXL], form: .integer(1...7), standard: .number(5)),
    ])

  private static let chromaSubsampling = OutputOption(
    name: .chromaSubsampling,
    meaning: "How finely colour is kept beside brightness; auto is 4:4:4 from quality 90 up, else "
      + "4:2:0.",
    uses: [
      Use(types: [.jpeg], form: .words(["auto", "4:4:4", "4:2:0"]), standard: .word("auto")),
      Use(
        types: [.avif, .heic], form: .words(["auto", "4:4:4", "4:2:2", "4:2:0"]),
        standard: .word("auto")),
    ])

  private static let progressive = OutputOption(
    name: .progressive,
    meaning:
      "The picture appears coarse first and gets finer as it arrives; PNG calls it interlaced.",
    uses: [Use(types: [.jpeg, .png], form: .boolean, standard: .flag(false))])

  private static let optimizeCoding = OutputOption(
    name: .optimizeCoding,
    meaning:
      "Huffman tables made for the picture: a file some 2 percent smaller for 10 percent more "
      + "time. Progressive JPEG always has them.",
    uses: [Use(types: [.jpeg], form: .boolean, standard: .flag(false))])

  private static let compression = OutputOption(
    name: .compression,
    meaning: "How the samples are packed, always without loss.",
    uses: [
      Use(
        types: [.tiff], form: .words(["none", "lzw", "deflate", "zstd"]), standard: .word("deflate")
      )
    ])

  private static let predictor = OutputOption(
    name: .predictor,
    meaning: "Differences between neighbours are packed instead of the samples themselves, which "
      + "makes photos smaller.",
    uses: [Use(types: [.tiff], form: .boolean, standard: .flag(true))])

  private static let tileSize = OutputOption(
    name: .tileSize,
    meaning: "The side of square tiles, in pixels; strips when left out.",
    uses: [
      Use(types: [.tiff], form: .oneOf([64, 128, 256, 512, 1024]), standard: nil)
    ])
}
