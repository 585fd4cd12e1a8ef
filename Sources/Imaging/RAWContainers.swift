/// Whether all of a RAW file is there, where its maker's container says how long it is.
enum RAWContainers {
  /// In words that follow `cut off:`; nil when nothing is missing, and for other containers.
  static func truncation(of file: borrowing FileBytes) -> String? {
    unsafe file.withBytes { bytes in
      unsafe fujifilm(bytes) ?? boxes(bytes)
    }
  }

  /// RAF: three pairs of offset and length, of the preview, the header and the sensor's data.
  private static func fujifilm(_ bytes: UnsafeRawBufferPointer) -> String? {
    let places = [84, 92, 100]
    guard unsafe bytes.starts(with: Array("FUJIFILMCCD-RAW".utf8)) else { return nil }
    var end = 0
    for place in places {
      guard let offset = unsafe number(bytes, at: place),
        let length = unsafe number(bytes, at: place + 4)
      else { return "its header lies behind the end of the file" }
      end = max(end, offset + length)
    }
    return end > bytes.count
      ? "its parts end at byte \(end), the file at \(bytes.count)" : nil
  }

  /// ISO base media files, as CR3: boxes that say how long they are, one after the other.
  private static func boxes(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard unsafe bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) else { return nil }
    var offset = 0
    while let size = unsafe number(bytes, at: offset) {
      var length = size
      if size == 1 {
        guard let high = unsafe number(bytes, at: offset + 8),
          let low = unsafe number(bytes, at: offset + 12), high < 1 << 24
        else { return "a box has no length" }
        length = high << 32 | low
      }
      // To the end of the file.
      if size == 0 { return nil }
      guard length >= 8 else { return nil }
      offset += length
    }
    return offset > bytes.count
      ? "a box ends at byte \(offset), the file at \(bytes.count)" : nil
  }

  /// Four bytes, the highest first; nil behind the end.
  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    guard offset <= bytes.count - 4 else { return nil }
    return unsafe Int(
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
