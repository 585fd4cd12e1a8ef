import Adjustments
import Digest
import Ledger
import RenderModel
import SystemSupport

/// Gathers what `Freshness` wants to know of one job, reading files only when it asks.
struct FreshnessQuestion {
  let output: Directory
  let entry: LedgerEntry?
  let context: JobContext
  let adjustment: Freshness.Adjustment
  let isForced: Bool
  var sourceDigest: String?
  /// What the filters read.
  private var resources: [Freshness.Resource]
  private var outputs: [Freshness.File?]
  private let hasReportFile: Bool

  init(
    output: Directory, entry: LedgerEntry?, context: JobContext,
    adjustment: Freshness.Adjustment, files: [FilterFiles.Found] = [], isForced: Bool
  ) {
    self.output = output
    self.entry = entry
    self.context = context
    self.adjustment = adjustment
    self.isForced = isForced
    resources = files.map {
      Freshness.Resource(path: $0.path, file: Freshness.File(identity: $0.status.identity))
    }
    // A name that leads astray is as good as missing; publishing will say why.
    func file(_ path: RelativePath) -> Freshness.File? {
      guard let status = try? output.status(path.bytes), status.kind == .regular
      else { return nil }
      return Freshness.File(identity: status.identity)
    }
    outputs = (entry?.outputs ?? []).map { file($0.path) }
    hasReportFile = entry?.reportFile.map { file($0) != nil } ?? true
  }

  func decide() -> Freshness.Decision {
    guard let source = context.asset.identity else { return .render(.new) }
    var versions: [String: Set<Int>] = [:]
    for filter in context.filters { versions[filter.name, default: []].insert(filter.version) }
    return Freshness.decide(
      entry,
      Freshness.Current(
        source: Freshness.File(identity: source, sha256: sourceDigest), adjustment: adjustment,
        recipe: context.recipe ?? "", filterVersions: versions, resources: resources,
        outputs: outputs, hasReportFile: hasReportFile, isForced: isForced))
  }

  mutating func resourceDigested(_ index: Int, _ sha256: String) {
    if resources.indices.contains(index) { resources[index].file.sha256 = sha256 }
  }

  /// A file that can't be read counts as missing.
  mutating func digestOutput(_ index: Int) {
    guard let entry, entry.outputs.indices.contains(index), outputs.indices.contains(index) else {
      return
    }
    do {
      let file = try output.openBeneath(
        entry.outputs[index].path.bytes, flags: FileFlags.readNonBlocking)
      outputs[index]?.sha256 = try FileDigest.sha256(of: file)
    } catch {
      outputs[index] = nil
    }
  }
}

/// Digests of files that are too large, or too little trusted, to be mapped.
enum FileDigest {
  static func sha256(of file: OwnedDescriptor) throws(SystemError) -> String {
    let digest = SHA256Digest()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try FileTransfer.read(file, into: &buffer)
      if count == 0 { return digest.finalize().hex }
      unsafe buffer.withUnsafeBytes {
        unsafe digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
  }
}
