import CImagingShim

/// The bytes of a picture as the library reads them.
@safe
struct PictureSource: ~Copyable {
  let handle: OpaquePointer

  /// Reads from a descriptor that stays the caller's; its offset is moved.
  init(descriptor: Int32) throws(LibraryError) {
    unsafe handle = try LibraryError.object {
      unsafe minilab_source_from_descriptor(descriptor, $0)
    }
  }

  /// Takes the bytes over without a copy.
  init(_ bytes: consuming FileBytes) throws(LibraryError) {
    let (start, count) = unsafe bytes.handOver()
    unsafe handle = try LibraryError.object { unsafe minilab_source_take(start, count, $0) }
  }

  deinit { unsafe minilab_source_release(handle) }
}

/// Notes whether it was the decoder that could not give its pixels.
@safe
struct DecodeTap: ~Copyable {
  let handle: OpaquePointer

  init() { unsafe handle = minilab_tap_new() }
  deinit { unsafe minilab_tap_release(handle) }

  var decoderFailed: Bool { unsafe minilab_tap_failed(handle) != 0 }
}
