import CImagingShim

/// The decoded channels of a HEIF picture, without the transforms of its container.
@safe
struct HEIFPlanes: ~Copyable {
  private let handle: OpaquePointer

  /// `auxiliary`: another item that belongs to it, in its place.
  init(
    _ file: borrowing FileBytes, item: Int, auxiliary: Int = 0, isGrey: Bool, isStrict: Bool
  ) throws(LibraryError) {
    let result = unsafe file.withBytes { bytes -> Result<OpaquePointer, LibraryError> in
      unsafe Result { () throws(LibraryError) in
        let heif = unsafe try LibraryError.object {
          unsafe minilab_heif_open(
            bytes.baseAddress, bytes.count, UInt32(truncatingIfNeeded: item),
            UInt32(truncatingIfNeeded: auxiliary), $0)
        }
        defer { unsafe minilab_heif_release(heif) }
        return try unsafe LibraryError.object {
          unsafe minilab_heif_decode(heif, isGrey ? 1 : 0, isStrict ? 1 : 0, $0)
        }
      }
    }
    unsafe handle = try result.get()
  }

  deinit { unsafe minilab_heif_planes_release(handle) }

  /// nil when there is no such channel. The plane is valid as long as this is.
  func plane(_ channel: minilab_heif_channel) -> SamplePlane? {
    var plane = unsafe minilab_plane()
    guard unsafe minilab_heif_plane(handle, channel, &plane) != 0 else { return nil }
    return unsafe SamplePlane(plane)
  }

}

/// One channel of samples that somebody else keeps in memory.
@safe
struct SamplePlane {
  let width: Int
  let height: Int
  let bits: Int
  private let stride: Int
  private let samples: UnsafeRawPointer

  init?(_ plane: minilab_plane) {
    guard let samples = unsafe plane.samples else { return nil }
    unsafe self.samples = samples
    width = unsafe Int(plane.width)
    height = unsafe Int(plane.height)
    bits = unsafe Int(plane.bits)
    stride = unsafe Int(plane.stride)
  }

  /// One row times a scale; the last sample goes on where the row is too short.
  func read(row: Int, into target: inout [Float], scale: Float) {
    let row = min(max(row, 0), height - 1)
    let start = unsafe samples + stride * row
    let count = min(width, target.count)
    unsafe target.withUnsafeMutableBufferPointer { target in
      if bits > 8 {
        let row = unsafe start.assumingMemoryBound(to: UInt16.self)
        for x in 0..<count { unsafe target[x] = Float(row[x]) * scale }
      } else {
        let row = unsafe start.assumingMemoryBound(to: UInt8.self)
        for x in 0..<count { unsafe target[x] = Float(row[x]) * scale }
      }
    }
    if count > 0 {
      for x in count..<max(count, target.count) { target[x] = target[count - 1] }
    }
  }
}

/// Rows of samples that somebody else keeps in memory, to be filled.
@safe
struct SampleRows {
  let start: UnsafeMutableRawPointer
  private let stride: Int

  init(_ start: UnsafeMutableRawPointer, stride: Int) {
    unsafe self.start = start
    self.stride = stride
  }

  /// Writes values as every `step`th sample of a row from `first` on: those of 0…1 scaled and rounded to
  /// whole numbers, or as they are.
  func write(_ values: [Float], row: Int, first: Int, step: Int, as format: minilab_format) {
    let start = unsafe self.start + stride * row
    unsafe values.withUnsafeBufferPointer { values in
      switch format {
      case MINILAB_FORMAT_UINT8:
        let row = unsafe start.assumingMemoryBound(to: UInt8.self)
        for x in 0..<values.count {
          unsafe row[first + step * x] = UInt8(Self.unit(values[x]) * 255 + 0.5)
        }
      case MINILAB_FORMAT_UINT16:
        let row = unsafe start.assumingMemoryBound(to: UInt16.self)
        for x in 0..<values.count {
          unsafe row[first + step * x] = UInt16(Self.unit(values[x]) * 65_535 + 0.5)
        }
      default:
        let row = unsafe start.assumingMemoryBound(to: Float.self)
        for x in 0..<values.count { unsafe row[first + step * x] = values[x] }
      }
    }
  }

  /// Cut to 0…1; what is no number is 0.
  private static func unit(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
}
