import CImagingShim
import Glibc

extension FileBytes {
  /// What a part that zlib has packed holds, and whether that is all of it.
  func inflated(_ range: Range<Int>, limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
    let packed = copy(range)
    var start: UnsafeMutableRawPointer?
    var count = 0
    let status = unsafe minilab_inflate(packed, packed.count, limit, &start, &count)
    guard let start = unsafe start else { return ([], false) }
    defer { unsafe free(start) }
    return (unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)), status == 0)
  }
}
