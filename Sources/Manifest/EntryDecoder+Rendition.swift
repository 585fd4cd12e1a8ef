import JSONText
import RenderModel

extension EntryDecoder {
  mutating func renditions(_ value: JSONValue) -> [JobSettings.RenditionEntry]? {
    guard let values = value.array, !values.isEmpty else { return nil }
    var entries: [JobSettings.RenditionEntry] = []
    for (index, value) in values.enumerated() {
      guard let entry = within("renditions[\(index)]", { $0.rendition(value) }) else { continue }
      if entries.contains(where: { $0.rendition.name == entry.rendition.name }) {
        let name = DisplayText.escaped(entry.rendition.name)
        findings.add(
          "there is a rendition \"\(name)\" already; each needs a name of its own",
          at: value["name"]?.offset ?? value.offset, field: "renditions[\(index)].name")
      }
      entries.append(entry)
    }
    return entries
  }

  private mutating func rendition(_ value: JSONValue) -> JobSettings.RenditionEntry? {
    guard let name = value["name"], let text = name.string, !text.isEmpty else { return nil }
    if text.utf8.contains(UInt8(ascii: "/")) || text.utf8.contains(0) {
      findings.add(
        "the name of a rendition stands in file names and cannot have a slash or NUL byte",
        at: name.offset, field: "name")
    }
    var rendition = Rendition(name: text)
    if let type = value["type"]?.string { rendition.type = UniformType(rawValue: type) }
    rendition.targetSize = targetSize(value["targetSize"])
    rendition.contentMode = word(value["contentMode"]) ?? rendition.contentMode
    rendition.deliveryMode = word(value["deliveryMode"]) ?? rendition.deliveryMode
    rendition.enlarge = value["enlarge"]?.bool ?? rendition.enlarge
    rendition.colorSpace = word(value["colorSpace"]) ?? rendition.colorSpace
    rendition.profile = profile(value["colorSpace"]?["profile"])
    rendition.renderingIntent = word(value["renderingIntent"]) ?? rendition.renderingIntent
    rendition.blackPointCompensation = value["blackPointCompensation"]?.bool ?? false
    rendition.metadata = word(value["metadata"]) ?? rendition.metadata
    rendition.location = word(value["location"]) ?? rendition.location
    readOptions(value, into: &rendition)
    checkTogether(rendition, value)
    let output = value["output"].flatMap { template($0, for: .rendition, field: "output") }
    return JobSettings.RenditionEntry(rendition: rendition, output: output)
  }

  /// A path that leads out of the library is a problem.
  private mutating func profile(_ value: JSONValue?) -> String? {
    guard let value, let name = value.string, !name.isEmpty else { return nil }
    if let fault = RelativePath.fault(in: Array(name.utf8)) {
      findings.add("\(fault.message)", at: value.offset, field: "colorSpace.profile")
    }
    return name
  }

  private func word<Word: RawRepresentable>(_ value: JSONValue?) -> Word?
  where Word.RawValue == String {
    value?.string.flatMap(Word.init)
  }

  private func targetSize(_ value: JSONValue?) -> Rendition.TargetSize? {
    guard let sides = value?.array, sides.count == 2, let width = sides[0].number?.integer,
      let height = sides[1].number?.integer
    else { return nil }
    return Rendition.TargetSize(width: width, height: height)
  }

  /// What is wrong although each member alone would be right.
  private mutating func checkTogether(_ rendition: Rendition, _ value: JSONValue) {
    let type = rendition.type.rawValue
    if let size = rendition.targetSize, let longest = rendition.type.longestSide,
      let sizeValue = value["targetSize"]
    {
      for (index, side) in [size.width, size.height].enumerated()
      where side > longest && side <= 10_000_000 {
        let others = UniformType.writable(sides: side).map(\.rawValue)
        findings.add(
          "\(side) pixels are more than the \(longest) that \(type) can hold; these hold them: "
            + others.joined(separator: ", "),
          at: sizeValue.array?[index].offset ?? sizeValue.offset, field: "targetSize[\(index)]")
      }
      if rendition.contentMode == .exact, (size.width == 0) != (size.height == 0) {
        findings.add(
          "\"exact\" needs both sides; \"aspectFit\" can leave one free", at: sizeValue.offset,
          field: "targetSize")
      }
    }
  }
}
