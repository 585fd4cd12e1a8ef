import Glibc
import RenderModel
import SystemSupport

/// Asks the file system whether paths stay beneath their roots; opens and changes nothing.
///
/// What is merely missing or unreadable is no problem of the manifest: that job fails by itself.
/// Records and files of filters that are missing can be asked for.
struct PathSurvey {
  private var library: SurveyedRoot?
  /// The library once more: looks lie in another folder than the asset before and the asset after.
  private var looks: SurveyedRoot?
  private var output: SurveyedRoot?

  private let reportsMissing: Bool

  init(library: Directory?, output: Directory?, reportsMissing: Bool = false) {
    self.library = library.map(SurveyedRoot.init)
    looks = self.library
    self.reportsMissing = reportsMissing
    self.output = output.map(SurveyedRoot.init)
  }

  /// The end of a sentence about the path; nil when there is nothing to say.
  mutating func fault(ofAsset path: RelativePath) -> String? {
    switch library?.look(at: path) {
    case .link: "is or passes through a symbolic link; \(Self.rule)"
    case .folder: "is a folder; its pictures are chosen with \"assets\": {\"from\": …}"
    default: nil
    }
  }

  mutating func fault(ofRecord path: RelativePath) -> String? {
    switch looks?.look(at: path) {
    case .link: "is or passes through a symbolic link; \(Self.rule)"
    case .folder: "is a folder"
    case .nothing, .notAFolder:
      reportsMissing ? FilterFilePlaces.missing([path]) : nil
    case .file, nil: nil
    }
  }

  /// `record`: the path of the record that names the file; nil for a record in the manifest.
  mutating func fault(ofFilterFile name: String, of record: RelativePath?) -> String? {
    let bytes = Array(name.utf8)
    if let fault = RelativePath.fault(in: bytes) { return fault.message }
    guard looks != nil else { return nil }
    let places = FilterFilePlaces.candidates(for: bytes, beside: record)
    for place in places {
      switch looks?.look(at: place) {
      case .link:
        return "(\(place.displayed)) is or passes through a symbolic link; \(Self.rule)"
      case .folder: return "(\(place.displayed)) is a folder"
      case .file: return nil
      case .nothing, .notAFolder, nil: continue
      }
    }
    return reportsMissing ? FilterFilePlaces.missing(places) : nil
  }

  mutating func fault(ofOutput path: RelativePath) -> String? {
    switch output?.look(at: path) {
    case .link: "is or passes through a symbolic link; \(Self.rule)"
    case .folder: "is the name of a folder that is there already"
    case .notAFolder: "passes through a file as if it were a folder"
    default: nil
    }
  }

  private static let rule = "links are never followed"
}

/// A root folder with the folder in it that was looked at last, since neighbours follow each other.
private struct SurveyedRoot {
  enum Sight: Equatable {
    case file, folder, link, notAFolder
    /// Missing, or not to be seen by us.
    case nothing
  }

  private enum Folder {
    case open(Directory)
    case closed(Sight)
  }

  private let root: Directory
  private var last: (path: RelativePath, folder: Folder)?

  init(_ root: Directory) { self.root = root }

  mutating func look(at path: RelativePath) -> Sight {
    switch folder(path.directory) {
    case .closed(let sight): sight
    case .open(let directory): Self.look(at: path.lastComponent, in: directory)
    }
  }

  private mutating func folder(_ path: RelativePath) -> Folder {
    if path.bytes.isEmpty { return .open(root) }
    if let last, last.path == path { return last.folder }
    let folder: Folder
    do {
      folder = .open(try root.openDirectory(path.bytes))
    } catch {
      let isLink = error.isEscape || root.isLink(path)
      folder = .closed(isLink ? .link : error.errno == ENOTDIR ? .notAFolder : .nothing)
    }
    last = (path, folder)
    return folder
  }

  private static func look(at name: [UInt8], in directory: Directory) -> Sight {
    var status = stat()
    let result = unsafe (name + [0]).withUnsafeBytes { bytes -> Int32 in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe fstatat(
        directory.descriptor.rawValue, start.assumingMemoryBound(to: CChar.self), &status,
        AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFLNK: return .link
    case S_IFDIR: return .folder
    default: return .file
    }
  }
}

extension Directory {
  /// Whether a path ends in a link: asked for a folder, the kernel only says that it is none.
  func isLink(_ path: RelativePath) -> Bool {
    (try? status(path.bytes))?.kind == .symbolicLink
  }
}
