import CImagingShim

/// From the channels that libheif gives to interleaved grey or RGB samples that use their whole range.
struct HEIFConversion {
  private let size: PixelSize
  private let bands: Int
  private let format: minilab_format
  private let isPremultiplied: Bool
  /// Of grey, which libheif gives as it is coded.
  private let isFullRange: Bool

  private static let channels = [MINILAB_HEIF_RED, MINILAB_HEIF_GREEN, MINILAB_HEIF_BLUE]

  init(
    size: PixelSize, bands: Int, format: minilab_format, isPremultiplied: Bool, isFullRange: Bool
  ) {
    self.size = size
    self.bands = bands
    self.format = format
    self.isPremultiplied = isPremultiplied
    self.isFullRange = isFullRange
  }

  /// `alpha`: the opacity, in the same frame.
  func run(
    _ planes: borrowing HEIFPlanes, alpha: SamplePlane?, into rows: SampleRows
  ) throws(LibraryError) {
    let colours = bands >= 3 ? 3 : 1
    var found: [SamplePlane] = []
    let grey = colours == 1 ? planes.plane(MINILAB_HEIF_GREY) : nil
    for channel in grey == nil ? Self.channels.prefix(colours) : [MINILAB_HEIF_GREY] {
      guard let plane = planes.plane(channel), plane.width >= size.width,
        plane.height >= size.height
      else {
        throw LibraryError(
          text: "its picture is smaller than the \(size.width) x \(size.height) that it announces")
      }
      found.append(plane)
    }
    var line = [Float](repeating: 0, count: size.width)
    var opacity = [Float](repeating: 1, count: size.width)
    for y in 0..<size.height {
      if bands > colours {
        alpha?.readScaled(row: y, of: size, into: &opacity)
        rows.write(opacity, row: y, first: colours, step: bands, as: format)
      }
      for (band, plane) in found.enumerated() {
        plane.read(row: y, into: &line, scale: 1 / Float(1 << plane.bits - 1))
        if grey != nil && !isFullRange { widen(&line, plane.bits) }
        if isPremultiplied && bands > colours {
          for x in line.indices { line[x] = opacity[x] > 0 ? line[x] / opacity[x] : 0 }
        }
        rows.write(line, row: y, first: band, step: bands, as: format)
      }
    }
  }

  /// From the range of video, 16…235 in eight bits, to all of it.
  private func widen(_ line: inout [Float], _ bits: Int) {
    let most = Float(1 << bits - 1)
    let unit = Float(1 << max(0, bits - 8))
    for x in line.indices { line[x] = (line[x] * most - 16 * unit) / (219 * unit) }
  }
}

extension SamplePlane {
  /// A row of opacity in 0…1 of a picture of another size, nearest sample.
  func readScaled(row: Int, of size: PixelSize, into target: inout [Float]) {
    let scale = 1 / Float(1 << bits - 1)
    if width == size.width && height == size.height {
      read(row: row, into: &target, scale: scale)
      return
    }
    var whole = [Float](repeating: 0, count: width)
    read(row: row * height / max(1, size.height), into: &whole, scale: scale)
    for x in target.indices { target[x] = whole[x * width / max(1, size.width)] }
  }
}
