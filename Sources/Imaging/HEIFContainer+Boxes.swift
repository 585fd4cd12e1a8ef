extension HEIFContainer {
  /// Reads the body of the metadata box; what is not understood is passed over.
  mutating func read(_ meta: BoxReader) {
    var meta = meta
    guard meta.version() != nil else { return }
    for box in meta.boxes() {
      var body = meta.inside(box)
      switch box.type {
      case "pitm":
        guard let full = body.version() else { continue }
        primary = body.number(full.version == 0 ? 2 : 4) ?? 0
      case "iinf": readItems(&body)
      case "iprp": readProperties(body)
      case "iref": readReferences(&body)
      case "iloc": readExtents(&body)
      case "idat": ownData = body.rest
      case "grpl": groups = body.boxes().map(\.type)
      default: break
      }
    }
  }

  /// Of one item; its index has a byte at most times two, and no picture needs so many.
  private static let mostProperties = 255

  private mutating func readItems(_ body: inout BoxReader) {
    guard let full = body.version(), body.number(full.version == 0 ? 2 : 4) != nil else { return }
    for box in body.boxes() where box.type == "infe" {
      var entry = body.inside(box)
      guard let full = entry.version(), full.version >= 2,
        let id = entry.number(full.version == 2 ? 2 : 4), entry.number(2) != nil,
        let type = entry.code()
      else { continue }
      var item = Item(id: id, type: type, isHidden: full.flags & 1 == 1)
      _ = entry.text()
      if type == "mime" { item.contentType = entry.text() }
      items[id] = item
    }
  }

  private mutating func readProperties(_ body: BoxReader) {
    for box in body.boxes() {
      var inner = body.inside(box)
      if box.type == "ipco" {
        let boxes = inner.boxes()
        properties = boxes.map { HEIFProperty($0.type, inner.inside($0)) }
        propertyPlaces = boxes.map(\.body)
      } else if box.type == "ipma" {
        guard let full = inner.version(), inner.number(4) != nil else { continue }
        while let id = inner.number(full.version == 0 ? 2 : 4), let count = inner.number(1) {
          guard associations[id, default: []].count + count <= Self.mostProperties else { return }
          for _ in 0..<count {
            let start = inner.position
            guard let index = inner.number(full.flags & 1 == 1 ? 2 : 1) else { return }
            // The top bit says that it is essential; 0 stands for none.
            let number = index & (full.flags & 1 == 1 ? 0x7FFF : 0x7F)
            guard number > 0 else { continue }
            associations[id, default: []].append(
              Association(property: number - 1, place: start..<inner.position))
          }
        }
      }
    }
  }

  private mutating func readReferences(_ body: inout BoxReader) {
    guard let full = body.version() else { return }
    let size = full.version == 0 ? 2 : 4
    for box in body.boxes() {
      var inner = body.inside(box)
      guard let from = inner.number(size), let count = inner.number(2) else { continue }
      var to: [Int] = []
      while to.count < count, let item = inner.number(size) { to.append(item) }
      references.append(Reference(type: box.type, from: from, to: to))
    }
  }

  private mutating func readExtents(_ body: inout BoxReader) {
    guard let full = body.version(), full.version <= 2, let sizes = body.number(1),
      let more = body.number(1), body.number(full.version < 2 ? 2 : 4) != nil
    else { return }
    let indexSize = full.version > 0 ? more & 15 : 0
    let takesBytes = indexSize + (sizes >> 4) + (sizes & 15) > 0
    var total = 0
    while let id = body.number(full.version < 2 ? 2 : 4) {
      var method = 0
      if full.version > 0 { method = (body.number(2) ?? 0) & 15 }
      guard body.number(2) != nil, let base = body.number(more >> 4), let count = body.number(2)
      else { return }
      // Extents of no bytes in the box are one and the same: all of the file.
      total += takesBytes ? count : min(count, 1)
      guard total <= Self.mostEntries else { return }
      for _ in 0..<(takesBytes ? count : min(count, 1)) {
        guard body.number(indexSize) != nil, let offset = body.number(sizes >> 4),
          let length = body.number(sizes & 15)
        else { return }
        let (start, overflow) = base.addingReportingOverflow(offset)
        let (end, tooFar) = start.addingReportingOverflow(length)
        guard !overflow, !tooFar, method <= 1 else { continue }
        extents[id, default: []].append(Extent(isInside: method == 1, range: start..<end))
      }
    }
  }
}
