import CImagingShim
import ColourEngine

/// A filter that sees what lies around the part it fills.
protocol WindowFilter: Sendable {
  /// The part of the input that a part of the output depends on; it is cut to the picture.
  func need(_ rect: PixelRect) -> PixelRect
  func fill(_ output: FloatWindow, from input: FloatWindow)
}

extension Straightening: WindowFilter {}

/// One reference to an image of the library: pixels that are computed when they are asked for.
@safe
struct PipelineImage: ~Copyable {
  private let handle: OpaquePointer

  /// Takes over one reference.
  private init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe minilab_image_release(handle) }

  private init(
    _ body: (UnsafeMutablePointer<minilab_error>) -> OpaquePointer?
  ) throws(LibraryError) {
    unsafe self.init(try LibraryError.object(body))
  }

  var size: PixelSize {
    PixelSize(width: Int(unsafe minilab_width(handle)), height: Int(unsafe minilab_height(handle)))
  }
  var bands: Int { Int(unsafe minilab_bands(handle)) }
  var format: minilab_format { unsafe minilab_image_format(handle) }
  var model: minilab_model { unsafe minilab_image_model(handle) }

  // MARK: Making

  init(source: borrowing PictureSource, options: minilab_load_options) throws(LibraryError) {
    try unsafe self.init { record in
      unsafe minilab_load(source.handle, options, record)
    }
  }

  /// Copies samples, row after row without gaps.
  init(
    samples: [UInt8], size: PixelSize, bands: Int, format: minilab_format
  ) throws(LibraryError) {
    try unsafe self.init { record in
      unsafe minilab_image_from_memory(
        samples, Int32(size.width), Int32(size.height), Int32(bands), format, record)
    }
  }

  /// Of the library, which silently makes a picture of one pixel where more is asked for.
  private static let longestSide: Int32 = 10_000_000

  /// Pixels that `decode` fills when the first of them are asked for, once.
  init(
    decoded form: minilab_form, _ decode: @escaping (SampleRows) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    guard max(form.width, form.height) <= Self.longestSide else {
      throw LibraryError(
        text: "\(form.width) x \(form.height) pixels are more than any limit allows")
    }
    let context = unsafe Unmanaged.passRetained(DecodeOperation(decode)).toOpaque()
    try unsafe self.init { record in
      unsafe minilab_image_decoded(
        form,
        { context, samples, stride, record in
          guard let context = unsafe context, let samples = unsafe samples else { return -1 }
          return unsafe Unmanaged<DecodeOperation>.fromOpaque(context)._withUnsafeGuaranteedRef {
            do throws(LibraryError) {
              try $0.decode(unsafe SampleRows(samples, stride: Int(stride)))
              return 0
            } catch {
              unsafe minilab_error_set(record, error.text)
              return -1
            }
          }
        }, context, { unsafe release(DecodeOperation.self, $0) }, record)
    }
  }

  /// Samples that stay where they are while the image lives, row after row without gaps.
  init(
    over samples: UnsafeRawBufferPointer, size: PixelSize, bands: Int, format: minilab_format
  ) throws(LibraryError) {
    try unsafe self.init { record in
      unsafe minilab_image_over_memory(
        samples.baseAddress, Int32(size.width), Int32(size.height), Int32(bands), format, record)
    }
  }

  // MARK: Stages

  func tapped(by tap: borrowing DecodeTap) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_tap_image(handle, tap.handle, $0) }
  }

  func inMemory() throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_to_memory(handle, $0) }
  }

  /// A handle of its own on the same pixels.
  func copy() throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_copy(handle, $0) }
  }

  func cropped(to rect: PixelRect) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_crop(handle, rect.library, $0) }
  }

  /// Colours of video's narrow range in the whole one.
  func widened(colours: Int) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_widen(handle, Int32(colours), $0) }
  }

  func firstBands(_ count: Int) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_first_bands(handle, Int32(count), $0) }
  }

  /// In memory first: a turn reads what lies far apart.
  func oriented(_ orientation: Orientation) throws(LibraryError) -> PipelineImage {
    let whole = try inMemory()
    return try unsafe PipelineImage {
      unsafe minilab_orient(whole.handle, Int32(orientation.number), $0)
    }
  }

  /// The same of pixels that are all in memory once the first of them is.
  func turned(_ orientation: Orientation) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_orient(handle, Int32(orientation.number), $0) }
  }

  /// Averages of whole blocks; the last ones may reach over the edge, which goes on.
  func shrunk(by factors: PixelSize) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage {
      unsafe minilab_shrink(handle, Int32(factors.width), Int32(factors.height), $0)
    }
  }

  /// Through Little CMS; the samples must be laid out as `managed` says on that side.
  func converted(
    _ direction: ManagedColour.Direction, _ managed: ManagedColour, _ intent: ColourIntent
  ) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { record in
      unsafe managed.withConversion(direction, intent) {
        unsafe minilab_convert(handle, $0, record)
      }
    }
  }

  /// Lab in any of its forms as three bands of floats.
  func lab() throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage { unsafe minilab_lab(handle, $0) }
  }

  /// Each row through a compiled pass; the pass lives as long as the image.
  func mapped(
    through pass: PixelPass, to layout: PixelLayout
  ) throws(LibraryError) -> PipelineImage {
    let context = unsafe Unmanaged.passRetained(pass).toOpaque()
    return try unsafe PipelineImage { record in
      unsafe minilab_map(
        handle, Int32(layout.bands), layout.sample.library,
        { context, input, output, pixels, column, row in
          guard let context = unsafe context, let input = unsafe input,
            let output = unsafe output
          else { return }
          unsafe Unmanaged<PixelPass>.fromOpaque(context)
            ._withUnsafeGuaranteedRef {
              unsafe $0.run(
                input, output, pixels: Int(pixels),
                at: PixelPlace(column: Int(column), row: Int(row)))
            }
        }, context, { unsafe release(PixelPass.self, $0) }, record)
    }
  }

  /// Each part through a filter that sees around it; the image holds working-space floats.
  func filtered(
    by filter: any WindowFilter, to size: PixelSize, tiles: Bool
  ) throws(LibraryError) -> PipelineImage {
    let operation = WindowOperation(filter: filter, bands: bands)
    let context = unsafe Unmanaged.passRetained(operation).toOpaque()
    return try unsafe PipelineImage { record in
      unsafe minilab_window_map(
        handle, Int32(size.width), Int32(size.height), tiles ? 1 : 0,
        { context, rect in
          guard let context = unsafe context else { return rect }
          return unsafe Unmanaged<WindowOperation>.fromOpaque(context).takeUnretainedValue()
            .filter.need(PixelRect(rect)).library
        },
        { context, input, output in
          guard let context = unsafe context, let input = unsafe input, let output = unsafe output
          else { return }
          unsafe Unmanaged<WindowOperation>.fromOpaque(context).takeUnretainedValue()
            .fill(output.pointee, from: input.pointee)
        }, context, { unsafe release(WindowOperation.self, $0) }, record)
    }
  }

  /// Row by row through a filter that remembers what it needs of the rows before; working-space floats.
  func filtered(by filter: any RowFilter) throws(LibraryError) -> PipelineImage {
    let operation = RowOperation(filter: filter, size: size, bands: bands)
    let context = unsafe Unmanaged.passRetained(operation).toOpaque()
    return try unsafe PipelineImage { record in
      unsafe minilab_rows_map(handle, RowOperation.functions, context, record)
    }
  }

  /// Once all of this is read, also the rest of what it came from, so that a cut-off file is found out.
  func thenReading(
    _ origin: borrowing PipelineImage, toEndBy tap: borrowing DecodeTap
  ) throws(LibraryError) -> PipelineImage {
    try unsafe PipelineImage {
      unsafe minilab_then_read_to_end(handle, origin.handle, tap.handle, $0)
    }
  }

  // MARK: Using

  func samples() throws(LibraryError) -> [UInt8] {
    let unit = format == MINILAB_FORMAT_UINT8 ? 1 : format == MINILAB_FORMAT_UINT16 ? 2 : 4
    var result = [UInt8](repeating: 0, count: size.pixels * bands * unit)
    let count = result.count
    try unsafe LibraryError.status { unsafe minilab_read_samples(handle, &result, count, $0) }
    return result
  }

  /// The picture averaged down in linear light.
  func reduced(from layout: PixelLayout) throws(LibraryError) -> ReducedPicture {
    let reduction = PictureReduction(from: layout, width: size.width, height: size.height)
    try unsafe eachRow { samples, row in unsafe reduction.add(samples, row: row) }
    return reduction.picture()
  }

  /// Computes each row once, from the top, and calls with its samples and number.
  func eachRow(_ body: (_ samples: UnsafeRawPointer, _ row: Int) -> Void) throws(LibraryError) {
    try unsafe LibraryError.status { record in
      unsafe withoutActuallyEscaping(body) { body in
        var reader = unsafe RowReader(body: body)
        return unsafe withUnsafeMutablePointer(to: &reader) { reader in
          unsafe minilab_each_row(
            handle,
            { context, samples, row in
              guard let context = unsafe context, let samples = unsafe samples else { return }
              unsafe context.assumingMemoryBound(to: RowReader.self).pointee
                .body(samples, Int(row))
            }, reader, record)
        }
      }
    }
  }

  func save(to descriptor: Int32, options: minilab_save_options) throws(LibraryError) {
    try unsafe LibraryError.status { unsafe minilab_save(handle, descriptor, options, $0) }
  }

  // MARK: Metadata

  func has(_ name: String) -> Bool { unsafe minilab_has(handle, name) != 0 }

  func integer(_ name: String) -> Int? {
    var value: Int32 = 0
    return unsafe minilab_get_int(handle, name, &value) != 0 ? Int(value) : nil
  }

  func text(_ name: String) -> String? {
    guard let text = unsafe minilab_get_string(handle, name) else { return nil }
    return unsafe String(cString: text)
  }

  func bytes(_ name: String) -> [UInt8]? {
    var length = 0
    guard let start = unsafe minilab_get_blob(handle, name, &length), length > 0 else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }

  /// Only on a handle of one's own (`copy`).
  func set(_ name: String, to value: Int) { unsafe minilab_set_int(handle, name, Int32(value)) }
  func set(_ name: String, to bytes: [UInt8]) {
    unsafe minilab_set_blob(handle, name, bytes, bytes.count)
  }
  func setText(_ name: String, to text: String) {
    unsafe minilab_set_string(handle, name, text)
  }
  /// A whole block, and the fields that the library makes of those that fit a segment of a JPEG.
  func setEXIF(_ block: [UInt8]) {
    set("exif-data", to: block)
    if block.count <= Self.longestEXIF { unsafe minilab_read_exif(handle) }
  }
  private static let longestEXIF = 65_533
  func remove(_ name: String) { unsafe minilab_remove(handle, name) }
  /// In pixels a millimetre.
  func setResolution(_ value: Double) { unsafe minilab_set_resolution(handle, value, value) }

  var fieldNames: [String] {
    var names: [String] = []
    unsafe withUnsafeMutablePointer(to: &names) { names in
      unsafe minilab_each_field(
        handle,
        { context, name in
          guard let context = unsafe context, let name = unsafe name else { return }
          unsafe context.assumingMemoryBound(to: [String].self).pointee
            .append(String(cString: name))
        }, names)
    }
    return names
  }
}

/// A closure in a place that the library can be given.
@safe
private struct RowReader {
  let body: (UnsafeRawPointer, Int) -> Void

  init(body: @escaping (UnsafeRawPointer, Int) -> Void) { unsafe self.body = body }
}

private func release<Context: AnyObject>(_: Context.Type, _ context: UnsafeRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<Context>.fromOpaque(context).release()
}

private final class DecodeOperation {
  let decode: (SampleRows) throws(LibraryError) -> Void

  init(_ decode: @escaping (SampleRows) throws(LibraryError) -> Void) { self.decode = decode }
}

private final class WindowOperation: Sendable {
  let filter: any WindowFilter
  let bands: Int

  init(filter: any WindowFilter, bands: Int) {
    self.filter = filter
    self.bands = bands
  }

  func fill(_ output: minilab_window, from input: minilab_window) {
    guard let output = unsafe FloatWindow(output, bands: bands),
      let input = unsafe FloatWindow(input, bands: bands)
    else { return }
    filter.fill(output, from: input)
  }
}

extension PixelLayout.Sample {
  var library: minilab_format {
    switch self {
    case .uint8: MINILAB_FORMAT_UINT8
    case .uint16: MINILAB_FORMAT_UINT16
    case .float32: MINILAB_FORMAT_FLOAT
    }
  }
}
