import Glibc
import RenderModel
import SystemSupport

/// Asks the file system whether paths stay beneath their roots; opens and changes nothing.
///
/// What is merely missing or unreadable is no problem of the manifest: that job fails by itself.
struct PathSurvey {
  private var library: SurveyedRoot?
  private var output: SurveyedRoot?

  init(library: Directory?, output: Directory?) {
    self.library = library.map(SurveyedRoot.init)
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
    switch library?.look(at: path) {
    case .link: "is or passes through a symbolic link; \(Self.rule)"
    case .folder: "is a folder"
    default: nil
    }
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
