/// What a HEIF container holds beside the picture that is shown.
struct HEIFExtras: Hashable, Sendable {
  /// The item that holds the opacity; nil when there is none.
  private(set) var alpha: Int?
  private(set) var losses: [String] = []

  init(_ container: HEIFContainer) {
    let shown = container.primary
    var known: Set<Int> = [shown]
    known.formUnion(container.references.filter { $0.type == "dimg" }.flatMap(\.to))
    for reference in container.references where reference.type == "auxl" {
      known.insert(reference.from)
      if reference.to.contains(shown) { readAuxiliary(reference.from, container) }
    }
    for reference in container.references where reference.type == "thmb" {
      known.insert(reference.from)
      if reference.to.contains(shown) { add("thumbnail") }
    }
    for item in container.items.values where item.type == "tmap" {
      known.insert(item.id)
      add("gainMap")
    }
    let pictures = container.items.values.filter {
      ["hvc1", "av01", "grid", "iovl", "iden", "jpeg", "avc1", "unci"].contains($0.type)
    }
    if pictures.contains(where: { !$0.isHidden && !known.contains($0.id) }) { add("pages") }
    if container.hasSequence { add("animation") }
    if container.hasVideo { add("motionVideo") }
  }

  private mutating func readAuxiliary(_ item: Int, _ container: HEIFContainer) {
    for case .auxiliary(let type) in container.properties(of: item) {
      if type.hasSuffix(":auxiliary:alpha") || type == "urn:mpeg:hevc:2015:auxid:1" {
        alpha = alpha ?? item
      } else if type.hasSuffix(":auxiliary:depth") || type == "urn:mpeg:hevc:2015:auxid:2"
        || type.hasSuffix("disparity")
      {
        add("depth")
      } else if type.contains("hdrgainmap") {
        add("gainMap")
      } else {
        add(type.hasSuffix("matte") ? "mattes" : "auxiliaryImages")
      }
    }
  }

  private mutating func add(_ loss: String) {
    if !losses.contains(loss) { losses.append(loss) }
  }
}

extension HEIFContainer {
  /// The blocks that describe the picture that is shown, or all of it when none says what it describes.
  func metadata(_ file: borrowing FileBytes) -> (exif: [UInt8]?, xmp: [UInt8]?) {
    let described = Set(
      references.filter { $0.type == "cdsc" && $0.to.contains(primary) }.map(\.from))
    let others = Set(references.filter { $0.type == "cdsc" }.map(\.from))
    var exif: [UInt8]?
    var xmp: [UInt8]?
    for item in items.values.sorted(by: { $0.id < $1.id })
    where described.contains(item.id) || !others.contains(item.id) {
      if item.type == "Exif", exif == nil, let data = data(of: item.id, in: file) {
        exif = EXIFBlock.fromOffset(data)
      }
      if item.type == "mime", item.contentType == "application/rdf+xml", xmp == nil {
        xmp = data(of: item.id, in: file)
      }
    }
    return (exif, xmp)
  }

}

extension EXIFBlock {
  /// The block of an item or box, which begins with the offset of the TIFF header; some writers get
  /// that wrong.
  static func fromOffset(_ data: [UInt8]) -> [UInt8]? {
    let marks = [Array("II".utf8) + [0x2A, 0], Array("MM".utf8) + [0, 0x2A]]
    let start = (0..<min(64, max(0, data.count - 4))).first { offset in
      marks.contains { data[offset..<(offset + 4)].elementsEqual($0) }
    }
    guard let start else { return nil }
    return Array("Exif\0\0".utf8) + data[start...]
  }
}
