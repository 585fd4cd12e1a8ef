/// How much address space one job may need, from its header and plan alone.
///
/// Deliberately generous: a job that gets less fails with a memory error, one that gets more only
/// waits a little longer for its turn.
package enum MemoryEstimate {
  /// Code, libraries, stacks and codec tables of a job's process.
  package static let base = 400 << 20

  private static let megabyte = 1 << 20
  /// Rows that are held at a time where a picture streams: strips, their overlaps, line caches.
  private static let streamedRows = 256
  /// What reading a file of a filter takes for each of its bytes: the text, and its numbers.
  private static let readingFactor = 4
  /// A working pixel: four 32-bit floats.
  private static let workingPixel = 16

  /// In bytes; saturates instead of overflowing.
  ///
  /// `resourceBytes`: what the files of the filters take, all together.
  package static func bytes(header: AssetHeader, plan: RenderPlan, resourceBytes: Int = 0) -> Int {
    let width = max(1, header.width)
    let height = max(1, header.height)
    let pixels = product(width, height)
    let stored = product(pixels, max(1, header.bands) * max(1, header.bitDepth / 8))

    let grown = AdjustedSize(header: header, filters: plan.filters)
    var total = base
    total = sum(total, product(max(width, grown.storedWidth), streamedRows * workingPixel))
    total = sum(total, decoder(header, pixels: pixels, stored: stored))
    if holdsWhole(plan) { total = sum(total, stored) }
    total = sum(total, product(resourceBytes, Self.readingFactor))
    total = sum(total, masks(plan, pixels: pixels))
    for rendition in plan.renditions {
      total = sum(
        total, output(rendition, width: grown.width, height: grown.height, header: header))
    }
    total = sum(total, overlays(plan.filters, on: grown))
    total = sum(total, FilterMemory.tables(plan.filters))
    total = sum(
      total,
      FilterMemory.rows(
        plan.filters, width: max(width, grown.storedWidth), threads: plan.threads))
    total = sum(
      total,
      FilterMemory.turned(plan.filters, pixels: max(pixels, product(grown.width, grown.height))))
    return total
  }

  /// Whether the decoded picture is kept in memory: several renditions, or one that pixels are taken
  /// from here and there.
  private static func holdsWhole(_ plan: RenderPlan) -> Bool {
    plan.renditions.count > 1
      || plan.filters.contains { $0.name == "straighten" || $0.name == "perspective" }
  }

  /// Overlays as decoded, whose sizes are not known here, and as shown, in working pixels and twice.
  private static func overlays(_ filters: [FilterStep], on picture: AdjustedSize) -> Int {
    var total = 0
    for step in filters where step.name == "overlay" {
      let scale = min(max(step.number("scale") ?? 1, 0), 1)
      let shown = AdjustedSize.whole(
        scale * Double(picture.width) * scale * Double(max(picture.width, picture.height)))
      let seen = min(product(picture.width, picture.height), shown)
      total = sum(total, sum(256 * megabyte, product(seen, 2 * workingPixel)))
    }
    return total
  }

  /// The weights of bitmap masks, as floats and while they are made; mostly as large as the photo.
  private static func masks(_ plan: RenderPlan, pixels: Int) -> Int {
    let files = Set(plan.filters.flatMap { $0.mask?.files ?? [] })
    return product(files.count, min(product(pixels, 8), 128 * megabyte))
  }

  /// What the decoder itself holds beside its rows.
  private static func decoder(_ header: AssetHeader, pixels: Int, stored: Int) -> Int {
    guard header.needsWholePicture else { return 8 * megabyte }
    switch header.type {
    // Coefficients of 16 bits for three channels, before subsampling.
    case .jpeg: return product(pixels, 6)
    // Planes of the codec, references of the prediction, and the interleaved picture.
    case .heic, .heif, .avif: return sum(product(stored, 3), 64 * megabyte)
    // Groups of floats in three or four channels, whatever the depth.
    case .jpegXL, .jpeg2000: return sum(product(pixels, 24), 64 * megabyte)
    // Sensor data, four samples a pixel, those of linear data twice, and tables of the demosaicing.
    case .rawImage, .dng: return sum(product(pixels, 20), 96 * megabyte)
    default: return product(stored, 2)
    }
  }

  /// The encoded bytes in memory, what the encoder holds, the picture when it is turned, and once more
  /// where it is kept to be encoded again and again.
  private static func output(
    _ rendition: Rendition, width: Int, height: Int, header: AssetHeader
  ) -> Int {
    let pixels = outputPixels(rendition, width: width, height: height)
    let sample = rendition.depth > 16 ? 4 : rendition.depth > 8 ? 2 : 1
    let plain = product(pixels, 4 * sample)
    let held = product(plain, rendition.options[.maxBytes] == nil ? 2 : 3)
    let encoder: Int
    switch rendition.type {
    case .avif, .heic: encoder = product(pixels, 32 + 16 * sample)
    case .jpegXL: encoder = product(pixels, 96)
    case .webP: encoder = product(pixels, rendition.isLossless ? 32 : 10)
    case .tiff: encoder = plain
    case .jpeg where rendition.flag(.progressive) || rendition.flag(.optimizeCoding):
      // Coefficients of 16 bits.
      encoder = product(pixels, 6)
    case .png where rendition.flag(.progressive): encoder = plain
    default: encoder = 8 * megabyte
    }
    let encoded = rendition.isLossless ? plain : product(pixels, 2)
    return sum(sum(held, encoder), encoded)
  }

  private static func outputPixels(_ rendition: Rendition, width: Int, height: Int) -> Int {
    let whole = product(width, height)
    guard let box = rendition.targetSize, box.width > 0, box.height > 0 else { return whole }
    let longest = max(width, height)
    let wanted = product(
      min(box.width, rendition.enlarge ? box.width : longest),
      min(box.height, rendition.enlarge ? box.height : longest))
    return rendition.enlarge ? wanted : min(whole, wanted)
  }

  private static func product(_ a: Int, _ b: Int) -> Int {
    let (value, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? .max : value
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (value, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : value
  }
}
