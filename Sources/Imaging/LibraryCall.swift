import CImagingShim

/// A call into the imaging libraries that failed, with their text.
struct LibraryError: Error, Equatable {
  var text: String
  /// Whether a filter's parameters are to blame, and no library.
  var isOfAdjustment = false
}

extension LibraryError {
  /// Runs a call that gives an object, or nothing and an error record.
  static func object(
    _ body: (UnsafeMutablePointer<minilab_error>) -> OpaquePointer?
  ) throws(LibraryError) -> OpaquePointer {
    var record = minilab_error()
    guard let object = unsafe body(&record) else {
      throw LibraryError(text: text(of: &record))
    }
    return unsafe object
  }

  /// Runs a call that gives 0, or another number and an error record.
  static func status(
    _ body: (UnsafeMutablePointer<minilab_error>) -> Int32
  ) throws(LibraryError) {
    var record = minilab_error()
    guard unsafe body(&record) == 0 else { throw LibraryError(text: text(of: &record)) }
  }

  static func text(of record: inout minilab_error) -> String {
    unsafe withUnsafeBytes(of: &record.text) { bytes in
      let end = unsafe bytes.firstIndex(of: 0) ?? bytes.count
      return unsafe String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}

/// The messages that the libraries gave since the last clear.
enum LibraryMessages {
  static func clear() { minilab_messages_clear() }

  static var all: [String] {
    (0..<min(32, Int(minilab_messages_count()))).map { index in
      unsafe String(cString: minilab_message(Int32(index)))
    }
  }
}
