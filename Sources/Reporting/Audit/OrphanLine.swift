package import RenderModel

/// An output that no job makes any more: a line of `minilab orphans`.
///
/// The member names are a published interface (`docs/schemas/orphan-line.schema.json`).
package struct OrphanLine: Sendable, Codable, Equatable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Found, and left where it is.
    case orphan
    case removed
    /// Left: its bytes are not those that were reported.
    case changed
    /// Left: it could not be read or removed.
    case failed
  }

  package var schema = 1
  package var kind: Kind
  package var job: String
  /// nil for the report file beside the renders.
  package var rendition: String?
  /// nil when the name is not UTF-8; then `pathBytes` has it in base64.
  package var path: String?
  package var pathBytes: String?
  package var bytes: Int64
  /// Why it was left, for a person.
  package var detail: String?

  package init(
    _ kind: Kind, job: String, rendition: String?, path: RelativePath, bytes: Int64,
    detail: String?
  ) {
    self.kind = kind
    self.job = job
    self.rendition = rendition
    self.path = path.string
    pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
    self.bytes = bytes
    self.detail = detail
  }

  /// One line for a person, safe to show, without a newline.
  package var line: String {
    let space = String(repeating: " ", count: max(1, 9 - kind.rawValue.count))
    let shown = JobReport.path(path, pathBytes)?.displayed ?? ""
    return kind.rawValue + space + shown + " (\(AmountText.bytes(bytes)))"
      + (detail.map { ": " + DisplayText.escaped($0) } ?? "")
  }
}

/// The account of a search for orphans: the last line of `minilab orphans`.
package struct OrphanSummary: Sendable, Codable, Equatable {
  /// What lies in one folder.
  package struct Folder: Sendable, Codable, Equatable {
    /// nil when the name is not UTF-8; then `pathBytes` has it in base64; empty for the output folder.
    package var path: String?
    package var pathBytes: String?
    package var files: Int
    package var bytes: Int64
  }

  package var schema = 1
  package var kind = "orphans"
  /// The run that the removals are reported in; nil when nothing was removed.
  package var run: String?
  /// Whether orphans were to be removed.
  package var pruned: Bool
  /// Outputs that are known, all together.
  package var known: Int
  package var orphans = 0
  package var bytes: Int64 = 0
  package var removed = 0
  package var removedBytes: Int64 = 0
  package var changed = 0
  package var failed = 0
  /// Empty folders that went with them.
  package var folders = 0
  /// Orphans by folder, in the order of the folders' names.
  package var byFolder: [Folder] = []
  package var interrupted = false
  package var exitStatus: Int32 = 0

  package init(known: Int, pruned: Bool) {
    self.known = known
    self.pruned = pruned
  }

  /// Orphans are counted in the order of their paths.
  package mutating func count(_ path: RelativePath, _ bytes: Int64) {
    orphans += 1
    self.bytes += bytes
    let folder = path.directory
    let text = folder.string
    let base64 = text == nil ? Base64.encode(folder.bytes) : nil
    if let last = byFolder.lastIndex(where: { $0.path == text && $0.pathBytes == base64 }) {
      byFolder[last].files += 1
      byFolder[last].bytes += bytes
    } else {
      byFolder.append(Folder(path: text, pathBytes: base64, files: 1, bytes: bytes))
    }
  }

  package mutating func count(_ line: OrphanLine) {
    switch line.kind {
    case .orphan: break
    case .removed:
      removed += 1
      removedBytes += line.bytes
    case .changed: changed += 1
    case .failed: failed += 1
    }
  }

  package mutating func end() {
    let status: ExitStatus = interrupted ? .interrupted : failed > 0 ? .someFailed : .success
    exitStatus = status.rawValue
  }

  /// For a person. Ends with a newline.
  package var text: String {
    var lines = byFolder.map { folder in
      let name = JobReport.path(folder.path, folder.pathBytes)?.displayed ?? ""
      return "\(AmountText.bytes(folder.bytes)) in \(folder.files) "
        + "\(folder.files == 1 ? "file" : "files"): \(name.isEmpty ? "." : name)"
    }
    lines.append(
      "\(orphans) of \(known) known outputs \(orphans == 1 ? "is an orphan" : "are orphans"), "
        + AmountText.bytes(bytes))
    if pruned {
      lines.append(
        "\(removed) removed (\(AmountText.bytes(removedBytes))), with \(folders) empty folders")
      if changed > 0 { lines.append("\(changed) stay: they are not what was reported") }
      if failed > 0 { lines.append("\(failed) could not be removed") }
    } else if orphans > 0 {
      lines.append("Nothing was removed; --prune removes them.")
    }
    if interrupted { lines.append("Interrupted: run the same command again to go on.") }
    return lines.joined(separator: "\n") + "\n"
  }
}
