/// What a picture may ask for before it is decoded.
package struct RenderLimits: Hashable, Sendable {
  /// Pixels of one frame.
  package var pixels: Int
  /// Pixels of the longer side.
  package var side: Int
  package var pages: Int
  package var inputBytes: Int

  package init(
    pixels: Int = 250_000_000, side: Int = 65_500, pages: Int = 10_000,
    inputBytes: Int = 2_000_000_000
  ) {
    self.pixels = pixels
    self.side = side
    self.pages = pages
    self.inputBytes = inputBytes
  }

  /// Why a header is refused, in words that name the limit; nil when it may be decoded.
  package func refusal(of header: AssetHeader) -> String? {
    let (pixels, overflow) = header.width.multipliedReportingOverflow(by: header.height)
    if overflow || pixels > self.pixels {
      return "\(header.width) x \(header.height) pixels are more than the limit of "
        + "\(self.pixels) pixels (limits.pixels)"
    }
    if max(header.width, header.height) > side {
      return "a side of \(max(header.width, header.height)) pixels is longer than the limit of "
        + "\(side) (limits.side)"
    }
    if header.pages > pages {
      return "\(header.pages) pages are more than the limit of \(pages) (limits.pages)"
    }
    return nil
  }
}

/// How long a job may run once its header is known.
package struct DeadlinePolicy: Hashable, Sendable {
  package var baseMilliseconds: Int
  package var perMegapixelMilliseconds: Int

  package init(baseMilliseconds: Int = 30_000, perMegapixelMilliseconds: Int = 0) {
    self.baseMilliseconds = baseMilliseconds
    self.perMegapixelMilliseconds = perMegapixelMilliseconds
  }

  /// The whole limit for a picture of so many pixels, in milliseconds.
  package func milliseconds(pixels: Int) -> Int {
    baseMilliseconds + perMegapixelMilliseconds * ((pixels + 999_999) / 1_000_000)
  }
}
