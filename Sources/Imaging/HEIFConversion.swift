import CImagingShim

/// From the channels that libheif gives to interleaved grey or RGB samples that use their whole range.
struct HEIFConversion {
  /// What the samples of a picture are.
  enum Channels {
    case colours
    case grey
    /// In the range of video.
    case narrowColours
    /// Luma, and how green and how orange it is (YCgCo), in the places of green, blue and red.
    case greenAndOrange

    /// Whether libheif is to be kept from converting them.
    var areAsCoded: Bool { self == .narrowColours || self == .greenAndOrange }

    /// In the order of the bands that are made of them.
    fileprivate var names: [minilab_heif_channel] {
      switch self {
      case .grey: [MINILAB_HEIF_GREY]
      case .greenAndOrange: [MINILAB_HEIF_GREEN, MINILAB_HEIF_BLUE, MINILAB_HEIF_RED]
      case .colours, .narrowColours: [MINILAB_HEIF_RED, MINILAB_HEIF_GREEN, MINILAB_HEIF_BLUE]
      }
    }
  }

  let size: PixelSize
  let bands: Int
  let format: minilab_format
  let channels: Channels
  let isPremultiplied: Bool
  /// Of channels other than colours, which libheif gives as they are coded.
  let isFullRange: Bool

  /// `alpha`: the opacity, in the same frame.
  func run(
    _ planes: borrowing HEIFPlanes, alpha: SamplePlane?, into rows: SampleRows
  ) throws(LibraryError) {
    // Some grey files are given in colour, whose range libheif has seen to.
    let isWhole = isFullRange || channels == .grey && planes.plane(MINILAB_HEIF_GREY) == nil
    let found = try samples(planes)
    var lines = [[Float]](
      repeating: [Float](repeating: 0, count: size.width), count: found.count)
    var opacity = [Float](repeating: 1, count: size.width)
    for y in 0..<size.height {
      if bands > found.count {
        alpha?.readScaled(row: y, of: size, into: &opacity)
        rows.write(opacity, row: y, first: found.count, step: bands, as: format)
      }
      for (band, plane) in found.enumerated() {
        read(plane, y, band, isFullRange: isWhole, into: &lines[band])
      }
      if channels == .greenAndOrange { mix(&lines) }
      for band in lines.indices {
        if isPremultiplied && bands > found.count {
          for x in opacity.indices {
            lines[band][x] = opacity[x] > 0 ? lines[band][x] / opacity[x] : 0
          }
        }
        rows.write(lines[band], row: y, first: band, step: bands, as: format)
      }
    }
  }

  private func samples(_ planes: borrowing HEIFPlanes) throws(LibraryError) -> [SamplePlane] {
    var names = channels.names
    if channels == .grey, planes.plane(MINILAB_HEIF_GREY) == nil { names = [MINILAB_HEIF_RED] }
    var found: [SamplePlane] = []
    for name in names {
      guard let plane = planes.plane(name), plane.width >= size.width, plane.height >= size.height
      else {
        throw LibraryError(
          text: "its picture is smaller than the \(size.width) x \(size.height) that it announces")
      }
      found.append(plane)
    }
    return found
  }

  /// A row in 0…1, of differences in -0.5…0.5 (H.273, 8.3).
  private func read(
    _ plane: SamplePlane, _ y: Int, _ band: Int, isFullRange: Bool, into line: inout [Float]
  ) {
    let most = Float(1 << plane.bits - 1)
    let unit = Float(1 << max(0, plane.bits - 8))
    if channels == .greenAndOrange && band > 0 {
      plane.read(row: y, into: &line, scale: 1)
      let zero = Float(1 << (plane.bits - 1))
      let scale = 1 / (isFullRange ? most : 224 * unit)
      for x in line.indices { line[x] = (line[x] - zero) * scale }
    } else if channels == .colours || isFullRange {
      plane.read(row: y, into: &line, scale: 1 / most)
    } else {
      // From the range of video, 16…235 in eight bits.
      plane.read(row: y, into: &line, scale: 1)
      for x in line.indices { line[x] = (line[x] - 16 * unit) / (219 * unit) }
    }
  }

  /// From luma, green and orange to red, green and blue.
  private func mix(_ lines: inout [[Float]]) {
    for x in 0..<size.width {
      let (luma, green, orange) = (lines[0][x], lines[1][x], lines[2][x])
      lines[0][x] = luma - green + orange
      lines[1][x] = luma + green
      lines[2][x] = luma - green - orange
    }
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
