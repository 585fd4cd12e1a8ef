/// Whether all of a RAW file is there, where its maker's container says how long it is.
enum RAWContainers {
  /// In words that follow `cut off:`; nil when nothing is missing, and for other containers.
  static func truncation(of file: borrowing FileBytes) -> String? {
    if let reason = unsafe file.withBytes({ unsafe fujifilm($0) }) { return reason }
    return boxes(file)
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
  private static func boxes(_ file: borrowing FileBytes) -> String? {
    guard file.box(at: 0)?.type == "ftyp" else { return nil }
    var end = 0
    while let box = file.box(at: end) { end = box.whole.upperBound }
    guard end > file.count else { return nil }
    return end == .max
      ? "a box has no length" : "a box ends at byte \(end), the file at \(file.count)"
  }

  /// Four bytes, the highest first; nil behind the end.
  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    guard offset <= bytes.count - 4 else { return nil }
    return unsafe Int(
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
