/// Metadata as items of a HEIF or AVIF file, whose index and data are written anew around the same
/// coded pictures.
enum HEIFPlacement {
  private struct Item {
    var id: Int
    var method = 0
    /// Where its data are; within `idat` with method 1.
    var extents: [Range<Int>] = []
  }

  private static let largest = 1 << 30

  static func put(_ metadata: EncodedMetadata, into file: EncodedFile) throws(LibraryError) {
    let count = file.count
    guard count <= largest else { throw LibraryError(text: "the encoded HEIF is too large") }
    let bytes = try file.bytes(0..<count)
    guard let boxes = BoxReader(bytes, in: 0..<count).onlyBoxes(),
      let type = boxes.first(where: { $0.type == "ftyp" }),
      let meta = boxes.first(where: { $0.type == "meta" }), meta.body.count > 4,
      let parts = BoxReader(bytes, in: meta.body.dropFirst(4)).onlyBoxes()
    else { throw LibraryError(text: "the encoded HEIF has no index") }
    var index = try Index(bytes, parts)
    index.removeMetadata()
    if let exif = metadata.exif {
      // The offset of the TIFF header comes first.
      index.add(
        "Exif", content: nil, data: [0, 0, 0, 6] + Array("Exif\0\0".utf8) + exif)
    }
    if let xmp = metadata.xmp {
      index.add("mime", content: "application/rdf+xml", data: xmp)
    }
    let head = Array(bytes[type.whole])
    // Offsets have a fixed width, so that the index is as long before they are known.
    let length = index.box(dataAt: 0).count
    let start = head.count + length
    let result = head + index.box(dataAt: start + 8) + BoxWriter.box("mdat", index.data)
    try file.write(result, at: 0)
    try file.truncate(to: result.count)
  }

  /// The items of a file and what is said of them.
  private struct Index {
    private let bytes: [UInt8]
    private let parts: [BoxReader.Box]
    private var items: [Item] = []
    private var entries: [(id: Int, type: String, content: String, box: [UInt8])] = []
    private var primary = 0
    private var references: (version: Int, boxes: [(from: Int, box: [UInt8])]) = (0, [])
    private var added: [(id: Int, data: [UInt8])] = []

    init(_ bytes: [UInt8], _ parts: [BoxReader.Box]) throws(LibraryError) {
      self.bytes = bytes
      self.parts = parts
      for part in parts {
        var reader = BoxReader(bytes, in: part.body)
        switch part.type {
        case "pitm":
          let version = try reader.required(4) >> 24
          primary = try reader.required(version == 0 ? 2 : 4)
        case "iloc": try readLocations(&reader)
        case "iinf": try readEntries(part)
        case "iref": try readReferences(part)
        default: break
        }
      }
      guard !items.isEmpty, primary > 0 else { throw LibraryError(text: "the HEIF has no items") }
    }

    mutating func removeMetadata() {
      let gone = Set(
        entries.filter {
          $0.type == "Exif" || $0.type == "mime" && $0.content == "application/rdf+xml"
        }.map(\.id))
      items.removeAll { gone.contains($0.id) }
      entries.removeAll { gone.contains($0.id) }
      references.boxes.removeAll { gone.contains($0.from) }
    }

    mutating func add(_ type: String, content: String?, data: [UInt8]) {
      let id = (items.map(\.id) + entries.map(\.id) + added.map(\.id)).max().map { $0 + 1 } ?? 1
      let wide = id > 0xFFFF
      var entry = BoxWriter.number(wide ? 0x0300_0000 : 0x0200_0000, 4)
      // Hidden from those who look for pictures.
      entry[3] = 1
      entry += BoxWriter.number(id, wide ? 4 : 2) + [0, 0] + Array(type.utf8) + [0]
      if let content { entry += Array(content.utf8) + [0] }
      entries.append((id, type, content ?? "", BoxWriter.box("infe", entry)))
      let size = references.version == 0 ? 2 : 4
      references.boxes.append(
        (
          id,
          BoxWriter.box(
            "cdsc",
            BoxWriter.number(id, size) + [0, 1] + BoxWriter.number(primary, size))
        ))
      added.append((id, data))
    }

    /// What comes into `mdat`.
    var data: [UInt8] {
      items.filter { $0.method == 0 }.flatMap { $0.extents.flatMap { bytes[$0] } }
        + added.flatMap(\.data)
    }

    /// The `meta` box, with data that begin at an offset of the file.
    func box(dataAt start: Int) -> [UInt8] {
      var payload: [UInt8] = [0, 0, 0, 0]
      for part in parts {
        switch part.type {
        case "iloc": payload += locations(start)
        case "iinf":
          let wide = entries.count > 0xFFFF
          payload += BoxWriter.box(
            "iinf",
            BoxWriter.number(wide ? 0x0100_0000 : 0, 4)
              + BoxWriter.number(entries.count, wide ? 4 : 2) + entries.flatMap(\.box))
        case "iref": continue
        default: payload += bytes[part.whole]
        }
      }
      if !references.boxes.isEmpty {
        payload += BoxWriter.box(
          "iref",
          BoxWriter.number(references.version << 24, 4) + references.boxes.flatMap(\.box))
      }
      return BoxWriter.box("meta", payload)
    }

    private func locations(_ start: Int) -> [UInt8] {
      let wide = (items.map(\.id) + added.map(\.id)).contains { $0 > 0xFFFF }
      let size = wide ? 4 : 2
      var position = start
      // Offsets and lengths of 4 bytes, no base offset, no index.
      var payload = BoxWriter.number((wide ? 2 : 1) << 24, 4) + [0x44, 0x00]
      payload += BoxWriter.number(items.count + added.count, size)
      for item in items {
        payload += BoxWriter.number(item.id, size) + [0, UInt8(item.method), 0, 0]
        if item.method == 0 {
          let length = item.extents.reduce(0) { $0 + $1.count }
          payload += [0, 1] + BoxWriter.number(position, 4) + BoxWriter.number(length, 4)
          position += length
        } else {
          payload += BoxWriter.number(item.extents.count, 2)
          for extent in item.extents {
            payload += BoxWriter.number(extent.lowerBound, 4) + BoxWriter.number(extent.count, 4)
          }
        }
      }
      for item in added {
        payload += BoxWriter.number(item.id, size) + [0, 0, 0, 0, 0, 1]
        payload += BoxWriter.number(position, 4) + BoxWriter.number(item.data.count, 4)
        position += item.data.count
      }
      return BoxWriter.box("iloc", payload)
    }

    private mutating func readLocations(_ reader: inout BoxReader) throws(LibraryError) {
      let version = try reader.required(4) >> 24
      let sizes = try reader.required(2)
      let (offsetSize, lengthSize) = (sizes >> 12 & 15, sizes >> 8 & 15)
      let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
      guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) })
      else { throw LibraryError(text: "the HEIF's index has numbers of an odd size") }
      let count = try reader.required(version < 2 ? 2 : 4)
      for _ in 0..<count {
        var item = Item(id: try reader.required(version < 2 ? 2 : 4))
        if version > 0 { item.method = try reader.required(2) & 15 }
        guard try reader.required(2) == 0, item.method < 2 else {
          throw LibraryError(text: "data of the HEIF are in another file or item")
        }
        let base = try reader.required(baseSize)
        let extents = try reader.required(2)
        for _ in 0..<extents {
          _ = try reader.required(indexSize)
          let offset = try base + reader.required(offsetSize)
          let length = try reader.required(lengthSize)
          guard offset >= 0, length >= 0, length <= bytes.count,
            item.method == 1 || offset <= bytes.count - length
          else { throw LibraryError(text: "the data of the HEIF are cut off") }
          item.extents.append(offset..<(offset + length))
        }
        items.append(item)
      }
    }

    private mutating func readEntries(_ part: BoxReader.Box) throws(LibraryError) {
      var reader = BoxReader(bytes, in: part.body)
      let version = try reader.required(4) >> 24
      _ = try reader.required(version == 0 ? 2 : 4)
      for box in reader.onlyBoxes() ?? [] where box.type == "infe" {
        var reader = BoxReader(bytes, in: box.body)
        let version = try reader.required(4) >> 24
        guard version >= 2 else {
          throw LibraryError(text: "the HEIF's entries are of an old kind")
        }
        let id = try reader.required(version == 2 ? 2 : 4)
        _ = try reader.required(2)
        let type = try reader.requiredCode()
        _ = reader.text()
        entries.append((id, type, type == "mime" ? reader.text() : "", Array(bytes[box.whole])))
      }
    }

    private mutating func readReferences(_ part: BoxReader.Box) throws(LibraryError) {
      var reader = BoxReader(bytes, in: part.body)
      let version = try reader.required(4) >> 24
      references.version = version
      for box in reader.onlyBoxes() ?? [] {
        var reader = BoxReader(bytes, in: box.body)
        references.boxes.append(
          (try reader.required(version == 0 ? 2 : 4), Array(bytes[box.whole])))
      }
    }
  }
}
