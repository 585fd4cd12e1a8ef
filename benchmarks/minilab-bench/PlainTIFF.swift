import SystemSupport

/// A picture as the simplest file that the renderer reads: an uncompressed TIFF in memory.
enum PlainTIFF {
  /// Eight bits a sample, red, green, blue, in one strip.
  static func file(_ drawing: PhotoDrawing) throws(SystemError) -> OwnedDescriptor {
    var drawing = drawing
    let file = try MemoryFile.create(name: "drawing")
    try FileTransfer.writeAll(file, header(drawing.width, drawing.height))
    var row = [UInt8](repeating: 0, count: 3 * drawing.width)
    for y in 0..<drawing.height {
      drawing.row(y, into: &row)
      try FileTransfer.writeAll(file, row)
    }
    return file
  }

  private enum Kind { static let short = 3, long = 4 }

  private static func header(_ width: Int, _ height: Int) -> [UInt8] {
    let entries: [(tag: Int, kind: Int, count: Int, value: Int)] = [
      (256, Kind.long, 1, width), (257, Kind.long, 1, height),
      // Three values don't fit into the entry: they stand behind the directory.
      (258, Kind.short, 3, 8 + 2 + 10 * 12 + 4),
      (259, Kind.short, 1, 1), (262, Kind.short, 1, 2),
      (273, Kind.long, 1, 8 + 2 + 10 * 12 + 4 + 6), (277, Kind.short, 1, 3),
      (278, Kind.long, 1, height), (279, Kind.long, 1, 3 * width * height),
      (284, Kind.short, 1, 1),
    ]
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    append(entries.count, 2, to: &bytes)
    for entry in entries {
      append(entry.tag, 2, to: &bytes)
      append(entry.kind, 2, to: &bytes)
      append(entry.count, 4, to: &bytes)
      append(entry.value, 4, to: &bytes)
    }
    append(0, 4, to: &bytes)
    for _ in 0..<3 { append(8, 2, to: &bytes) }
    return bytes
  }

  private static func append(_ value: Int, _ size: Int, to bytes: inout [UInt8]) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
