/// What is changed in the bytes that libheif reads, so that it decodes what is meant here.
extension HEIFContainer {
  struct Edit: Hashable, Sendable {
    var offset: Int
    var bytes: [UInt8]
  }

  /// Takes the transforms from the tiles of grids.
  ///
  /// Some writers give a grid's transforms to its tiles as well; only the whole is to be turned, and
  /// libheif turns each tile even where it is told to leave the transforms out.
  var tileEdits: [Edit] {
    let grids = references.filter { $0.type == "dimg" && items[$0.from]?.type == "grid" }
    return Set(grids.flatMap(\.to)).flatMap { tile in
      associations[tile, default: []].compactMap { association in
        guard properties.indices.contains(association.property),
          properties[association.property].isTransform
        else { return nil }
        // Number 0 stands for no property.
        return edit(association.place, [UInt8](repeating: 0, count: association.place.count))
      }
    }
  }

  /// Makes the code points of an item, and of its tiles, those that libheif converts nothing for.
  ///
  /// nil where it has none of its own.
  func plainEdits(of item: Int) -> [Edit]? {
    let own = [item] + sources(of: item)
    let numbers = Set(own.flatMap { associations[$0, default: []].map(\.property) })
    let edits = numbers.compactMap { number -> Edit? in
      guard properties.indices.contains(number), case .coded = properties[number] else {
        return nil
      }
      // After `nclx`, primaries and transfer.
      let start = propertyPlaces[number].lowerBound + 8
      return edit(start..<(start + 3), Self.plainCode)
    }
    return edits.isEmpty ? nil : edits
  }

  /// Green, blue and red with all of their range, which libheif only puts in order.
  private static let plainCode: [UInt8] = [0, 0, 0x80]

  private func edit(_ place: Range<Int>, _ bytes: [UInt8]) -> Edit {
    Edit(offset: metadataPlace.lowerBound + place.lowerBound, bytes: bytes)
  }
}

extension HEIFProperty {
  fileprivate var isTransform: Bool {
    switch self {
    case .rotation, .mirror, .aperture: true
    default: false
    }
  }
}

extension FileBytes {
  /// In this process's copy alone.
  mutating func apply(_ edits: [HEIFContainer.Edit]) {
    for edit in edits {
      for (index, byte) in edit.bytes.enumerated() { self[edit.offset + index] = byte }
    }
  }
}
