import JSONText
import RenderModel

/// One element of `jobs`, or one line after the header.
enum ManifestEntry: Sendable {
  case job(id: String, asset: RelativePath, settings: JobSettings)
  case selection(Selection, settings: JobSettings)
}

/// What the first line, or the object around the jobs, says.
struct ManifestHeader: Sendable {
  var library: String?
  var defaults = JobSettings()
}

/// Turns checked JSON into values and finds what only the values show to be wrong.
///
/// Values are read even where problems were found, so that all problems are found at once.
struct EntryDecoder {
  /// The text that the offsets of all values count in.
  let text: ArraySlice<UInt8>
  var findings = Findings()

  init(text: ArraySlice<UInt8>) { self.text = text }

  /// The header, checked as the first line of JSON Lines or as a whole object.
  mutating func header(_ value: JSONValue, as shape: ObjectShape) -> ManifestHeader {
    shape.check(value, &findings)
    var header = ManifestHeader()
    if let library = value["library"], let path = library.string {
      header.library = path
      if path.utf8.contains(0) {
        findings.add("has a NUL byte, which no path can have", at: library.offset, field: "library")
      }
    }
    if let defaults = value["defaults"] {
      header.defaults = within("defaults") { $0.settings(defaults) }
    }
    return header
  }

  /// nil when it is not known which asset or assets are meant; then there is a finding.
  mutating func entry(_ value: JSONValue) -> ManifestEntry? {
    ManifestKeys.job.check(value, &findings)
    guard value.object != nil else { return nil }
    let settings = settings(value)
    if let assets = value["assets"] {
      if let id = value["id"] {
        findings.add(
          "the jobs of a selection have their assets' paths as ids", at: id.offset, field: "id")
      }
      return .selection(selection(assets), settings: settings)
    }
    guard let asset = asset(value) else { return nil }
    return .job(
      id: value["id"]?.string ?? asset.string ?? asset.displayed, asset: asset, settings: settings)
  }

  private mutating func asset(_ value: JSONValue) -> RelativePath? {
    if let asset = value["asset"], let text = asset.string {
      return path(Array(text.utf8), at: asset, field: "asset")
    }
    guard let asset = value["assetBytes"], let text = asset.string, !text.isEmpty else {
      return nil
    }
    guard let bytes = Base64.decode(text) else {
      findings.add(
        "is no base64; the bytes of the asset's path are wanted, with padding", at: asset.offset,
        field: "assetBytes")
      return nil
    }
    return path(bytes, at: asset, field: "assetBytes")
  }

  /// A path beneath a root; nil and a finding when it would leave it.
  mutating func path(_ bytes: [UInt8], at value: JSONValue, field: String) -> RelativePath? {
    guard let fault = RelativePath.fault(in: bytes) else { return RelativePath(bytes: bytes) }
    // Empty text was found by its shape already.
    if fault != .empty {
      findings.add("the path " + fault.message, at: value.offset, field: field)
    }
    return nil
  }

  private mutating func selection(_ value: JSONValue) -> Selection {
    var selection = Selection()
    if let from = value["from"], let text = from.string, !text.isEmpty {
      selection.folder = within("assets") { $0.folder(text, at: from) }
    }
    if let types = value["matching"]?.array {
      selection.matching = types.compactMap { $0.string.map(UniformType.init(rawValue:)) }
    }
    selection.limit = value["limit"]?.number?.integer
    selection.order = value["ordered"]?.string.flatMap(Selection.Order.init) ?? .name
    return selection
  }

  /// A folder may end with a slash, and `.` is the library.
  private mutating func folder(_ text: String, at value: JSONValue) -> RelativePath? {
    var bytes = Array(text.utf8)
    if bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    if bytes == [UInt8(ascii: ".")] { return nil }
    return path(bytes, at: value, field: "from")
  }

  /// Puts a key before the field of everything that the body finds.
  mutating func within<Value>(
    _ key: @autoclosure () -> String, _ body: (inout EntryDecoder) -> Value
  ) -> Value {
    var inner = EntryDecoder(text: text)
    let value = body(&inner)
    if !inner.findings.isEmpty {
      let key = key()
      for finding in inner.findings.list {
        findings.add(
          finding.message, at: finding.offset, field: Findings.joined(key, finding.field))
      }
    }
    return value
  }
}
