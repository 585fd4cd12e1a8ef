import RenderModel

/// How much room the outputs of a job may take, for reserving it before the job starts.
enum DiskEstimate {
  /// Bytes, on the safe side of what photographs take.
  static func bytes(header: AssetHeader, plan: RenderPlan) -> Int {
    plan.renditions.reduce(0) { $0 + bytes(header: header, rendition: $1) }
  }

  private static func bytes(header: AssetHeader, rendition: Rendition) -> Int {
    let samples = pixels(header, rendition) * max(3, header.bands)
    if let limit = rendition.number(.maxBytes) { return min(limit, samples) }
    let bytes = rendition.depth > 16 ? 4 : rendition.depth > 8 ? 2 : 1
    return (rendition.isLossless ? samples * bytes : samples / 2) + 65_536
  }

  private static func pixels(_ header: AssetHeader, _ rendition: Rendition) -> Int {
    let whole = header.width * header.height
    guard let target = rendition.targetSize, target.width > 0, target.height > 0 else {
      return whole
    }
    let box = target.width.multipliedReportingOverflow(by: target.height)
    if box.overflow { return whole }
    return rendition.enlarge ? box.partialValue : min(whole, box.partialValue)
  }
}
