import CImagingShim
import ColourEngine
import RenderModel

/// A file that a filter looks colours up in: `.cube` text or a HaldCLUT, told apart by the bytes.
struct TableFile {
  /// As the step names it.
  let name: String
  /// The caller's.
  let descriptor: Int32

  /// More than a cube of 144 points takes with ten digits a number.
  private static let longestText = 128 << 20
  private static let accepted =
    "a LUT is a .cube text, or a HaldCLUT as PNG or TIFF (a square of side 8, 27, 64 … 4096)"

  func read(_ limits: RenderLimits) throws(RenderFailure) -> ColourTable {
    guard let count = FileBytes.size(of: descriptor),
      let head = FileBytes.head(of: descriptor, count: ContentType.headLength)
    else { throw failure("the file cannot be read") }
    if head.isEmpty { throw failure("the file is empty; \(Self.accepted)") }
    if count > limits.inputBytes {
      throw RenderFailure(
        code: .limitExceeded, stage: .filter,
        detail:
          "the LUT \(shownName): \(count) bytes are more than the limit of \(limits.inputBytes) "
          + "(limits.inputBytes)")
    }
    let content = ContentType(head)
    switch content.type {
    case .png, .tiff: return try hald(content)
    case .data where !head.contains(0): return try text(count)
    // With the mark of UTF-16, of which the text's reader speaks.
    case .data where head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]):
      return try text(count)
    default: throw failure("the file is \(content.name); \(Self.accepted)")
    }
  }

  private func text(_ count: Int) throws(RenderFailure) -> ColourTable {
    guard count <= Self.longestText else {
      throw failure(
        "\(count) bytes are more than the \(Self.longestText) that a .cube text may have")
    }
    guard let bytes = FileBytes.head(of: descriptor, count: count) else {
      throw failure("the file cannot be read")
    }
    do throws(CubeTextError) {
      return try ColourTable(cubeText: bytes)
    } catch {
      throw failure(error.text, line: error.line)
    }
  }

  private func hald(_ content: ContentType) throws(RenderFailure) -> ColourTable {
    let image = try opened(content)
    let size = image.size
    guard size.width == size.height, let level = HaldPicture.level(side: size.width) else {
      throw failure(
        "the picture is \(size.width) x \(size.height) pixels; a HaldCLUT is a square whose side is "
          + "the cube of its level, 8, 27, 64 … 4096")
    }
    guard let sample = PixelLayout.Sample(image.format), sample != .float32, image.bands <= 4,
      image.model == MINILAB_MODEL_GREY || image.model == MINILAB_MODEL_RGB
    else {
      throw failure("the picture is not grey or RGB of 8 or 16 bits, as a HaldCLUT must be")
    }
    do throws(LibraryError) {
      let samples = HaldSamples(bands: image.bands, sample: sample)
      var codes: [SIMD4<UInt16>] = []
      codes.reserveCapacity(size.pixels)
      // Row by row: a picture of level 16 takes as much memory as its table.
      try unsafe image.eachRow { row, _ in
        unsafe samples.append(row, count: size.width, to: &codes)
      }
      guard let table = ColourTable(haldLevel: level, codes: codes) else {
        throw LibraryError(text: "the picture has fewer pixels than its header says")
      }
      return table
    } catch {
      throw decoding(error, content)
    }
  }

  /// The picture with its samples as they are in the file.
  private func opened(_ content: ContentType) throws(RenderFailure) -> PipelineImage {
    LibraryMessages.clear()
    do throws(LibraryError) {
      return try PictureInput(descriptor, content).decoder.image(isStrict: true, reduction: 1)
    } catch {
      throw decoding(error, content)
    }
  }

  private func decoding(_ error: LibraryError, _ content: ContentType) -> RenderFailure {
    let found = FailureText.decoding(
      error, messages: LibraryMessages.all, name: content.name, stage: .filter)
    if found.code == .memory { return found }
    return failure("this is \(found.detail)")
  }

  private func failure(_ reason: String, line: Int? = nil) -> RenderFailure {
    let place = line.map { ", line \($0)" } ?? ""
    return RenderFailure(
      code: .invalidAdjustment, stage: .filter, detail: "the LUT \(shownName)\(place): \(reason)")
  }

  private var shownName: String { DisplayText.escaped(name) }
}

/// The samples of a HaldCLUT as codes of 16 bits: grey thrice, alpha left out.
struct HaldSamples {
  let bands: Int
  let sample: PixelLayout.Sample

  func append(_ row: UnsafeRawPointer, count: Int, to codes: inout [SIMD4<UInt16>]) {
    let unit = sample.bytes
    let (green, blue) = bands >= 3 ? (unit, 2 * unit) : (0, 0)
    for pixel in 0..<count {
      let start = unsafe row + pixel * bands * unit
      func code(_ offset: Int) -> UInt16 {
        sample == .uint8
          ? UInt16(unsafe start.load(fromByteOffset: offset, as: UInt8.self)) * 257
          : unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
      }
      codes.append(SIMD4(code(0), code(green), code(blue), 0))
    }
  }
}
