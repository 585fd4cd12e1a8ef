import CImagingShim
import RenderModel

/// A JPEG 2000 file, decoded by OpenJPEG; what its samples mean is settled here.
final class JPEG2000Decoder: PictureDecoder {
  let losses: [String]
  let decodesWhole = true
  let notes: [String]
  private let file: FileBytes
  private let boxes: JPEG2000Boxes
  private let header: JPEG2000Header
  private let isCutOff: Bool

  init(_ file: consuming FileBytes) throws(LibraryError) {
    boxes = JPEG2000Boxes(file)
    isCutOff = boxes.isCutOff || !JPEG2000Structure(file, boxes.codestream).isWhole
    do throws(LibraryError) {
      header = try JPEG2000Header(boxes, JPEG2000File(file, isStrict: false))
    } catch {
      throw isCutOff ? LibraryError(text: "unexpected end of file") : error
    }
    losses = header.losses
    notes = header.notes
    self.file = file
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    if isStrict && isCutOff { throw LibraryError(text: "unexpected end of file") }
    let image = try PipelineImage(
      decoded: minilab_form(
        width: Int32(clamping: header.size.width), height: Int32(clamping: header.size.height),
        bands: Int32(header.bands), format: header.format, model: header.model)
    ) { [self] rows throws(LibraryError) in
      let opened = try JPEG2000File(file, isStrict: isStrict)
      try opened.decode()
      try JPEG2000Assembly(header, boxes.palette).run(opened, into: rows)
    }
    let result = try image.copy()
    if let exif = boxes.exif { result.setEXIF(exif) }
    if let xmp = boxes.xmp { result.set("xmp-data", to: xmp) }
    if let iptc = boxes.iptc { result.set("iptc-data", to: iptc) }
    if let profile = boxes.profile { result.set(profileField, to: profile) }
    result.set("orientation", to: boxes.exif.flatMap { EXIFBlock.orientation(of: $0) } ?? 1)
    return result
  }
}

/// Decoded components made into interleaved samples.
struct JPEG2000Assembly {
  private let header: JPEG2000Header
  private let palette: JPEG2000Boxes.Palette?

  init(_ header: JPEG2000Header, _ palette: JPEG2000Boxes.Palette?) {
    self.header = header
    self.palette = palette
  }

  func run(_ file: borrowing JPEG2000File, into rows: SampleRows) throws(LibraryError) {
    let width = header.size.width
    let used = header.channels.map { file.components[$0.component] }
    let finest = JPEG2000File.Grid.finest(used)
    let columns = used.map { component in
      Self.places(
        width, component.step.width, finest.width, file.grid.left, component.size.width)
    }
    let lines = used.map { component in
      Self.places(
        header.size.height, component.step.height, finest.height, file.grid.top,
        component.size.height)
    }
    var values = [[Float]](repeating: [Float](repeating: 0, count: width), count: used.count)
    var samples: [Int32] = []
    for y in 0..<header.size.height {
      for (band, channel) in header.channels.enumerated() {
        guard
          file.read(component: channel.component, row: lines[band][y], into: &samples)
        else { throw LibraryError(text: "a component was not decoded") }
        fill(&values[band], samples, columns[band], used[band], channel)
      }
      if header.colours == .ycc { Self.convert(&values, used) }
      if header.isPremultiplied { divide(&values) }
      for (band, line) in values.enumerated() {
        rows.write(line, row: y, first: band, step: header.bands, as: header.format)
      }
    }
  }

  /// The sample that counts at each pixel: the last one at or before it on the reference grid.
  private static func places(
    _ count: Int, _ step: Int, _ finest: Int, _ start: Int, _ samples: Int
  ) -> [Int] {
    let first = JPEG2000File.Grid.up(start, step)
    let origin = JPEG2000File.Grid.up(start, finest) * finest
    return (0..<count).map { pixel in
      min(max(0, (origin + pixel * finest) / max(1, step) - first), max(0, samples - 1))
    }
  }

  /// Samples in 0…1.
  private func fill(
    _ line: inout [Float], _ samples: [Int32], _ places: [Int],
    _ component: JPEG2000File.Component, _ channel: JPEG2000Boxes.Channel
  ) {
    let offset = component.isSigned ? 1 << (component.bits - 1) : 0
    let most = 1 << component.bits - 1
    if let column = channel.column, let entries = palette?.columns[column] {
      for x in line.indices {
        line[x] = entries[min(max(0, Int(samples[places[x]]) + offset), entries.count - 1)]
      }
      return
    }
    if most <= 0xFF_FFFF {
      // Whole numbers that floats hold.
      let scale = Float(most)
      for x in line.indices { line[x] = Float(Int(samples[places[x]]) + offset) / scale }
      return
    }
    for x in line.indices {
      line[x] = Float(Double(Int(samples[places[x]]) + offset) / Double(most))
    }
  }

  /// ITU-T T.871's numbers, which IEC 61966-2-1 has for sYCC as well.
  private static func convert(_ values: inout [[Float]], _ used: [JPEG2000File.Component]) {
    let middles = used.map { Float(1 << ($0.bits - 1)) / Float(1 << $0.bits - 1) }
    for x in values[0].indices {
      let luma = values[0][x]
      let blue = values[1][x] - middles[1]
      let red = values[2][x] - middles[2]
      values[0][x] = luma + 1.402 * red
      values[1][x] = luma - 0.344_136 * blue - 0.714_136 * red
      values[2][x] = luma + 1.772 * blue
    }
  }

  private func divide(_ values: inout [[Float]]) {
    let opacity = values[values.count - 1]
    for band in values.indices.dropLast() {
      for x in opacity.indices {
        values[band][x] = opacity[x] > 0 ? values[band][x] / opacity[x] : 0
      }
    }
  }
}
