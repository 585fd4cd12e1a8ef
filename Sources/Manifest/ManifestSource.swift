import Glibc
import JSONText
import RenderModel
import SystemSupport

/// A manifest, or a folder in its place, that is checked and read in passes over its file.
///
/// Not to be used by two threads at once.
package final class ManifestSource {
  package let path: String
  /// The folder that assets are beneath.
  package let libraryPath: String

  let options: ManifestOptions
  /// nil when a folder stands in a manifest's place.
  let text: ManifestText?
  /// nil when it cannot be opened; then nothing in it is looked at.
  let library: Directory?
  let defaults: JobSettings
  private let resolvedDefaults: ResolvedSettings
  /// The files of each selection, so that both passes see the same; by position in the manifest.
  private var listings: [Int: Result<FolderListing, FolderWalk.Fault>] = [:]
  /// The jobs that the check found to be impossible beside others or on this file system.
  var rejections = Rejections()

  /// Opens a manifest in either form, `-` for standard input, or a folder of pictures.
  package init(path: String, options: ManifestOptions = ManifestOptions()) throws(ManifestError) {
    self.path = path
    self.options = options
    if let folder = try? Directory(path: path) {
      text = nil
      library = folder
      libraryPath = path
      defaults = JobSettings()
    } else {
      let text = try ManifestText(ManifestBytes.open(path))
      self.text = text
      defaults = text.header.defaults
      libraryPath = Self.library(of: text.header, manifest: path, options)
      library = try? Directory(path: libraryPath)
    }
    resolvedDefaults = ResolvedSettings(defaults, options: options)
  }

  /// Whether a folder stands in the place of a manifest.
  package var isFolder: Bool { text == nil }

  /// Bytes of the manifest; nil for a folder and for standard input that is no file.
  package var length: Int? { text?.bytes.length }

  private static func library(
    of header: ManifestHeader, manifest: String, _ options: ManifestOptions
  ) -> String {
    if let library = options.library { return library }
    let folder = manifest.lastIndex(of: "/").map { String(manifest[...$0]) } ?? "./"
    guard let library = header.library, !library.isEmpty else { return folder }
    return library.hasPrefix("/") ? library : folder + library
  }

  // MARK: - From text to jobs

  /// One element of `jobs`, decoded, with what is wrong in it.
  struct Element {
    var raw: RawEntry
    var value: JSONValue?
    var entry: ManifestEntry?
    var findings: Findings
  }

  func decode(_ raw: RawEntry) -> Element {
    var element = Element(raw: raw, findings: Findings())
    if raw.isTooLong {
      element.findings.add(
        "the line is longer than \(LineReader.longestLine) bytes", at: raw.text.startIndex)
      return element
    }
    do {
      let document = try JSONParser.parse(raw.text)
      var decoder = EntryDecoder(text: raw.text)
      if !document.duplicates.isEmpty {
        decoder.addDuplicates(document.duplicates, of: document.value)
      }
      element.entry = decoder.entry(document.value)
      element.value = document.value
      element.findings = decoder.findings
    } catch {
      element.findings.add(error.message, at: error.offset)
    }
    return element
  }

  func resolve(_ settings: JobSettings) -> ResolvedSettings {
    guard settings.leavesOutputsOpen else {
      return ResolvedSettings(settings.over(defaults), options: options)
    }
    // Most jobs of a large manifest say no more than their asset and its adjustment.
    var result = resolvedDefaults
    let merged = settings.over(defaults)
    result.adjustment = merged.adjustment ?? .sidecar
    result.deadline = options.deadline ?? merged.deadline ?? DeadlinePolicy()
    result.limits.pixels = merged.pixels ?? result.limits.pixels
    result.limits.side = merged.side ?? result.limits.side
    result.limits.pages = merged.pages ?? result.limits.pages
    result.limits.inputBytes = merged.inputBytes ?? result.limits.inputBytes
    result.tolerant = options.tolerant ?? merged.tolerant ?? false
    result.rawSource = merged.rawSource ?? .sensor
    result.onKept = merged.onKept ?? .leave
    return result
  }

  func listing(of selection: Selection, at position: Int) -> Result<FolderListing, FolderWalk.Fault>
  {
    if let known = listings[position] { return known }
    let result = Result { () throws(FolderWalk.Fault) in
      try FolderWalk.list(selection, in: library, options: options)
    }
    listings[position] = result
    return result
  }

  /// The job of one file of a selection.
  func job(_ item: FolderListing.Item, _ settings: ResolvedSettings) -> Job {
    guard settings.usesStandardTemplate, item.naming != .standard else {
      return settings.job(id: item.id, asset: item.path)
    }
    let field: OutputTemplate.Field =
      item.naming == .withDigest ? .sha256(digits: 8) : .sourceExtension
    return settings.replacingStandardTemplate(by: .standard(with: field))
      .job(id: item.id, asset: item.path)
  }

  /// What a folder in the place of a manifest means.
  static let folderSelection = Selection()

  /// All elements of the manifest in order; a folder is one selection.
  func forEachElement(
    onBytes: (([UInt8]) -> Void)? = nil, _ body: (Element) throws -> Bool
  ) throws {
    if let text {
      try text.forEach(onBytes: onBytes) { try body(decode($0)) }
      return
    }
    _ = try body(folderElement)
  }

  private var folderElement: Element {
    let raw = RawEntry(position: 0, line: 1, text: [], label: "")
    let entry = ManifestEntry.selection(Self.folderSelection, settings: JobSettings())
    return Element(raw: raw, value: nil, entry: entry, findings: Findings())
  }

  /// A job that was given out before, read again from its place.
  func job(number: UInt32, at place: JobPlaces.Place) throws(ManifestError) -> Job? {
    let element: Element
    if let text {
      guard let raw = try text.entry(at: place.position, line: place.line) else { return nil }
      element = decode(raw)
    } else {
      element = folderElement
    }
    switch element.entry {
    case .job(let id, let asset, let settings):
      return resolve(settings).job(id: id, asset: asset)
    case .selection(let selection, let settings):
      guard case .success(let listing) = listing(of: selection, at: place.position) else {
        return nil
      }
      let index = Int(number - place.firstJob)
      guard listing.assets.indices.contains(index) else { return nil }
      return job(listing.item(listing.assets[index]), resolve(settings))
    case nil: return nil
    }
  }

  func problem(_ finding: Finding, in raw: RawEntry) -> ManifestProblem {
    text?.problem(finding, in: raw)
      ?? ManifestProblem(
        file: path, line: 1, column: 1, field: finding.field, message: finding.message)
  }
}

/// Jobs that cannot be done because of other jobs or of the file system, by number.
struct Rejections {
  private static let remembered = 10_000
  private var problems: [UInt32: ManifestProblem] = [:]
  private var others: Set<UInt32> = []
  private var takenIDs: Set<UInt32> = []

  mutating func insert(_ number: UInt32, _ problem: ManifestProblem) {
    if problems[number] != nil { return }
    if problems.count < Self.remembered {
      problems[number] = problem
    } else {
      others.insert(number)
    }
  }

  mutating func insertTakenID(_ number: UInt32) { takenIDs.insert(number) }

  func hasTakenID(_ number: UInt32) -> Bool { takenIDs.contains(number) }

  func contains(_ number: UInt32) -> Bool {
    problems[number] != nil || others.contains(number)
  }

  /// nil when there were too many to remember the words for each.
  func problem(of number: UInt32) -> ManifestProblem? { problems[number] }
}
