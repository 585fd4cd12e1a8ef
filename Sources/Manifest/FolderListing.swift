import RenderModel

/// The files of a selection in their order, each with what became of it.
///
/// Names are kept in one piece: a library of a million photos is about 70 MB.
final class FolderListing {
  /// How the output of an asset is named when nobody gave a template.
  enum Naming: UInt8 {
    case standard
    /// Another asset of the folder has the same stem.
    case withSourceExtension
    /// … and the same extension, but for composed letters or upper and lower case.
    case withDigest
  }

  enum Fate: Equatable {
    case asset
    case skipped(reason: String)
  }

  struct Item {
    var path: RelativePath
    var type: UniformType
    var isReadable = true
    var isLink = false
    var modified: Int64 = 0
    var naming = Naming.standard
    /// The name is one with another's in the eyes of `String`, so its id is written in base64.
    var needsExactID = false
  }

  private var names: [UInt8] = []
  private var ends: [Int] = []
  private var attributes: [Attributes] = []
  private var types: [UniformType] = []
  /// Indices of items in the order in which they are given out.
  private var order: [UInt32] = []
  /// Those of `order` that become jobs.
  private(set) var assets: [UInt32] = []
  private let selection: Selection

  private struct Attributes {
    var modified: Int64
    var type: UInt8
    var naming: Naming
    var isReadable: Bool
    var isLink: Bool
    var needsExactID: Bool
  }

  init(_ selection: Selection) { self.selection = selection }

  func append(_ item: Item) {
    names += item.path.bytes
    ends.append(names.count)
    let type = types.firstIndex(of: item.type) ?? types.count
    if type == types.count { types.append(item.type) }
    attributes.append(
      Attributes(
        modified: item.modified, type: UInt8(type), naming: item.naming,
        isReadable: item.isReadable, isLink: item.isLink, needsExactID: item.needsExactID))
  }

  /// Puts the items in order and chooses the first so many that match.
  ///
  /// `captured` are the capture dates in the order of appending; a photo without one comes last.
  func arrange(captured: [String?] = []) {
    order = (0..<UInt32(ends.count)).map { $0 }
    switch selection.order {
    case .name: break
    case .modificationDate:
      order.sort { (attributes[Int($0)].modified, $0) < (attributes[Int($1)].modified, $1) }
    case .captureDate:
      let last = "\u{10FFFF}"
      let dates = ends.indices.map { captured.indices.contains($0) ? captured[$0] ?? last : last }
      order.sort { left, right in
        let (a, b) = (dates[Int(left)], dates[Int(right)])
        return a == b ? left < right : a < b
      }
    }
    assets = []
    for (position, index) in order.enumerated() where fate(index) == .asset {
      if let limit = selection.limit, assets.count == limit {
        order.removeSubrange(position...)
        break
      }
      assets.append(index)
    }
  }

  var paths: [RelativePath] { ends.indices.map { path(UInt32($0)) } }

  /// The items in order, as long as the body answers true.
  func forEach<Failure: Error>(
    _ body: (Item, Fate) throws(Failure) -> Bool
  ) throws(Failure) {
    for index in order {
      guard try body(item(index), fate(index)) else { return }
    }
  }

  func item(_ index: UInt32) -> Item {
    let own = attributes[Int(index)]
    return Item(
      path: path(index), type: types[Int(own.type)], isReadable: own.isReadable,
      isLink: own.isLink, modified: own.modified, naming: own.naming,
      needsExactID: own.needsExactID)
  }

  private func path(_ index: UInt32) -> RelativePath {
    let start = index == 0 ? 0 : ends[Int(index) - 1]
    return RelativePath(bytes: Array(names[start..<ends[Int(index)]]))
  }

  private func fate(_ index: UInt32) -> Fate {
    let item = item(index)
    if item.isLink { return .skipped(reason: "a symbolic link, and links are never followed") }
    if selection.takes(item) { return .asset }
    let wanted = selection.matching.map(\.rawValue).joined(separator: ", ")
    return .skipped(reason: "\(item.type.rawValue) does not match \(wanted)")
  }
}

extension Selection {
  /// Whether a file becomes a job: those that match, and those that must fail aloud.
  ///
  /// Aloud fail a file that cannot be opened, and bytes that are nothing under a picture's name,
  /// which are a damaged photo.
  func takes(_ item: FolderListing.Item) -> Bool {
    if item.isLink { return false }
    if !item.isReadable || accepts(item.type) { return true }
    return item.type == .data && accepts(.jpeg) && PictureNames.contain(item.path)
  }
}

extension FolderListing.Item {
  /// The asset's path, or its bytes in base64 where the path as text could be taken for another.
  var id: String {
    needsExactID ? "base64:" + Base64.encode(path.bytes) : path.string ?? path.displayed
  }
}
