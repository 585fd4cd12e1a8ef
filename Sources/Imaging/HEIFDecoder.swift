import CImagingShim
import ColourEngine
import RenderModel

/// A HEIF or AVIF file: its container is read here, its pictures are decoded by libheif.
///
/// The transforms of the container are applied here, so that they work for every depth and for alpha,
/// and so that the size is known before anything is decoded.
final class HEIFDecoder: PictureDecoder {
  let losses: [String]
  let decodesWhole = true
  private let file: FileBytes
  private let picture: HEIFPicture
  private let isCutOff: Bool
  private let isPremultiplied: Bool

  init(_ bytes: consuming FileBytes) throws(LibraryError) {
    var file = bytes
    let container = try HEIFContainer(file)
    picture = try HEIFPicture(container, file)
    file.apply(container.tileEdits)
    if picture.channels.areAsCoded {
      guard let edits = container.plainEdits(of: picture.item) else {
        throw LibraryError(
          text:
            "colours by matrix \(picture.matrix) that only its samples tell of are not supported")
      }
      file.apply(edits)
    }
    isCutOff = container.isCutOff
    isPremultiplied = container.references.contains {
      $0.type == "prem" && $0.from == container.primary
    }
    losses = picture.losses
    self.file = file
  }

  func image(isStrict: Bool, reduction: Int) throws(LibraryError) -> PipelineImage {
    if isStrict && isCutOff {
      throw LibraryError(text: "unexpected end of file: not all that it announces is there")
    }
    let colours = picture.coding.isMonochrome ? 1 : 3
    let format = picture.coding.bits > 8 ? MINILAB_FORMAT_UINT16 : MINILAB_FORMAT_UINT8
    let bands = colours + (picture.alpha != nil ? 1 : 0)
    var image = try PipelineImage(
      decoded: minilab_form(
        width: Int32(clamping: picture.codedSize.width),
        height: Int32(clamping: picture.codedSize.height), bands: Int32(bands),
        format: format,
        model: colours == 1 ? MINILAB_MODEL_GREY : MINILAB_MODEL_RGB)
    ) { [self] rows throws(LibraryError) in
      try decode(into: rows, bands: bands, format: format, isStrict: isStrict)
    }
    for transform in picture.transforms {
      switch transform {
      case .crop(let rect): image = try image.cropped(to: rect)
      case .orient(let orientation): image = try image.turned(orientation)
      }
    }
    let result = try image.copy()
    describe(result)
    return result
  }

  private func decode(
    into rows: SampleRows, bands: Int, format: minilab_format, isStrict: Bool
  ) throws(LibraryError) {
    let planes = try HEIFPlanes(
      file, item: picture.item, isGrey: picture.coding.isMonochrome, isStrict: isStrict)
    let conversion = HEIFConversion(
      size: picture.codedSize, bands: bands, format: format, channels: picture.channels,
      isPremultiplied: isPremultiplied, isFullRange: picture.isFullRange)
    if let alpha = picture.alpha, planes.plane(MINILAB_HEIF_ALPHA) == nil {
      // Left out by libheif where its transforms are not those of the colours.
      let opacity = try HEIFPlanes(
        file, item: picture.item, auxiliary: alpha, isGrey: true, isStrict: isStrict)
      try conversion.run(
        planes, alpha: opacity.plane(MINILAB_HEIF_GREY) ?? opacity.plane(MINILAB_HEIF_RED),
        into: rows)
    } else {
      try conversion.run(planes, alpha: planes.plane(MINILAB_HEIF_ALPHA), into: rows)
    }
  }

  /// Container transforms decide how the picture lies; EXIF does where there are none.
  private func describe(_ image: borrowing PipelineImage) {
    if let exif = picture.exif { image.setEXIF(exif) }
    if let xmp = picture.xmp { image.set("xmp-data", to: xmp) }
    if let profile = picture.profile { image.set(profileField, to: profile) }
    if let coded = picture.coded { image.setCoded(coded) }
    image.set("heif-bitdepth", to: picture.coding.bits)
    let exif = picture.exif.flatMap { EXIFBlock.orientation(of: $0) }
    image.set("orientation", to: picture.hasOrientation ? 1 : exif ?? 1)
  }
}

extension PipelineImage {
  private static let coded = ["primaries", "transfer", "matrix", "full-range"].map { "cicp-" + $0 }

  /// Only on a handle of one's own (`copy`).
  func setCoded(_ colour: CodedColour) {
    let values = [colour.primaries, colour.transfer, colour.matrix, colour.isFullRange ? 1 : 0]
    for (name, value) in zip(Self.coded, values) { set(name, to: value) }
  }

  /// What the file says of its numbers; nil when it does not.
  var coded: CodedColour? {
    let values = Self.coded.compactMap { integer($0) }
    guard values.count == 4 else { return nil }
    return CodedColour(
      primaries: values[0], transfer: values[1], matrix: values[2], fullRange: values[3] != 0)
  }
}
