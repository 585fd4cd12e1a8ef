import Glibc
import RenderModel
import SystemSupport

/// Lists the files of a folder and the folders in it, by name, for a selection.
///
/// Hidden names, adjustment records and the output folder are passed over in silence.
struct FolderWalk {
  private let options: ManifestOptions
  private let output: FileStatus?
  private let listing: FolderListing
  private let selection: Selection

  /// Folders inside each other; the names together could not be opened beyond that anyway.
  private static let deepest = 1000

  private init(_ selection: Selection, _ options: ManifestOptions) throws(SystemError) {
    self.selection = selection
    self.options = options
    listing = FolderListing(selection)
    output = try options.outputRoot.map { (root) throws(SystemError) in
      try FileStatus(of: root.descriptor)
    }
  }

  /// Why a selection gives no jobs, in words for a person.
  struct Fault: Error, Equatable {
    var message: String
  }

  static func list(_ selection: Selection, in library: Directory?, options: ManifestOptions)
    throws(Fault) -> FolderListing
  {
    if selection.order == .captureDate, options.captureDates == nil {
      throw Fault(message: "\"captureDate\" cannot be used here: no picture's header is read")
    }
    guard let library else {
      throw Fault(message: "the library cannot be opened, so nothing can be selected from it")
    }
    let listing: FolderListing?
    do {
      listing = try FolderWalk(selection, options).run(in: library)
    } catch {
      throw fault(error, selection, library)
    }
    guard let listing else {
      throw Fault(
        message: "the output folder is the folder of the pictures, so renders would be taken for "
          + "pictures; choose another output folder")
    }
    guard !listing.assets.isEmpty else {
      let types = selection.matching.map(\.rawValue).joined(separator: ", ")
      throw Fault(message: "nothing in \(name(of: selection)) matches \(types)")
    }
    return listing
  }

  private static func name(of selection: Selection) -> String {
    selection.folder.map { "\"\($0.displayed)\"" } ?? "the library"
  }

  private static func fault(_ error: SystemError, _ selection: Selection, _ library: Directory)
    -> Fault
  {
    let name = name(of: selection)
    if error.isNotFound { return Fault(message: "there is no folder \(name)") }
    if error.isEscape || selection.folder.map(library.isLink) == true {
      return Fault(message: "\(name) is or passes through a symbolic link")
    }
    return Fault(message: "\(name) cannot be read: \(error)")
  }

  /// nil when the folder is the output folder.
  private func run(in library: Directory) throws(SystemError) -> FolderListing? {
    let folder = selection.folder ?? RelativePath("")
    let start = folder.bytes.isEmpty ? library : try library.openDirectory(folder.bytes)
    if try isOutput(start) { return nil }
    try visit(start, folder, depth: 0)
    if selection.order == .captureDate {
      listing.arrange(captured: options.captureDates?(listing.paths) ?? [])
    } else {
      listing.arrange()
    }
    return listing
  }

  private func isOutput(_ directory: Directory) throws(SystemError) -> Bool {
    guard let output else { return false }
    let status = try FileStatus(of: directory.descriptor)
    return status.inode == output.inode && status.device == output.device
  }

  private func visit(_ directory: Directory, _ path: RelativePath, depth: Int)
    throws(SystemError)
  {
    var entries = try directory.entries().filter { entry in
      entry.name.first != UInt8(ascii: ".")
    }
    entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
    var items: [FolderListing.Item] = []
    // Files and folders alternate in name order, but naming needs the files of a folder together.
    for entry in entries {
      // The check that asked for the listing ends when it sees the same.
      if options.isStopped?() == true {
        throw SystemError(operation: "list", errno: EINTR, path: path.displayed)
      }
      let own = path.appending(entry.name)
      if entry.kind != .directory, !RecordNames.isRecordName(own) {
        items.append(item(directory, entry, own))
      }
    }
    FolderNaming.apply(
      to: &items, caseInsensitive: options.caseInsensitiveOutput, where: selection.takes)
    var remaining = items[...]
    for entry in entries {
      if entry.kind == .directory {
        try descend(directory, entry.name, path.appending(entry.name), depth)
      } else if let item = remaining.first, item.path.lastComponent == entry.name {
        listing.append(item)
        remaining.removeFirst()
      }
    }
  }

  private func descend(
    _ directory: Directory, _ name: [UInt8], _ path: RelativePath, _ depth: Int
  ) throws(SystemError) {
    guard depth < Self.deepest else {
      throw SystemError(operation: "open", errno: ENAMETOOLONG, path: path.displayed)
    }
    let inner: Directory
    do {
      inner = try directory.openDirectory(name)
    } catch  where error.isNotFound {
      // Removed since its name was read.
      return
    }
    if try !isOutput(inner) { try visit(inner, path, depth: depth + 1) }
  }

  private func item(_ directory: Directory, _ entry: Directory.Entry, _ path: RelativePath)
    -> FolderListing.Item
  {
    var item = FolderListing.Item(path: path, type: .data)
    item.isLink = entry.kind == .symbolicLink
    guard entry.kind == .regular else { return item }
    do {
      let file = try directory.openBeneath(entry.name, flags: O_RDONLY | O_NONBLOCK)
      item.modified = try FileStatus(of: file).modified
      item.type = ContentMagic.type(of: try Self.start(of: file))
    } catch {
      item.isReadable = false
    }
    return item
  }

  private static func start(of file: OwnedDescriptor) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ContentMagic.length)
    let count = try unsafe bytes.withUnsafeMutableBufferPointer {
      (room) throws(SystemError) -> Int in
      try unsafe FileTransfer.read(file, into: UnsafeMutableRawBufferPointer(room))
    }
    return Array(bytes.prefix(count))
  }
}
