import Glibc
import Imaging
import RenderModel

/// A file without a name in the temporary folder, gone with its last reference.
final class TemporaryFile {
  let descriptor: Int32

  struct Failure: Error { var errno: Int32 }

  init(_ bytes: [UInt8] = []) throws {
    var template = Array("/tmp/minilab-imaging-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw Failure(errno: Glibc.errno) }
    _ = unsafe unlink(template)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure(errno: Glibc.errno)
    }
  }

  deinit { close(descriptor) }

  func decoded() throws(RenderFailure) -> PixelBuffer {
    // A reference that ended with the argument would close the file under the decoder.
    let result = Result { () throws(RenderFailure) in try PixelBuffer(decoding: descriptor) }
    return try withExtendedLifetime(self) { result }.get()
  }

  func opened(
    limits: RenderLimits = RenderLimits(), tolerant: Bool = false,
    rawSource: RAWSource = .sensor
  ) -> Result<OpenedPicture, RenderFailure> {
    withExtendedLifetime(self) {
      OpenedPicture.open(
        descriptor: descriptor, limits: limits, tolerant: tolerant, rawSource: rawSource)
    }
  }

  var bytes: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var result = [UInt8](repeating: 0, count: count)
    let got = unsafe pread(descriptor, &result, count, 0)
    return got == count ? result : []
  }
}
