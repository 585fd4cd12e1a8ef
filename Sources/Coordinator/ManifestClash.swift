import Manifest
import RenderModel

/// Jobs of several manifests of one run that would be taken for one another.
///
/// Each manifest's own check finds what clashes inside it.
struct ManifestClash {
  private let caseInsensitive: Bool
  /// The manifest, by index, that has an id or a name, by their hashes: a million take little room.
  private var ids: [Int: Int] = [:]
  private var names: [Int: Int] = [:]

  /// Words for a person about the first clash; nil when there is none.
  static func find(
    in manifests: [ManifestSlice], caseInsensitive: Bool, isStopped: () -> Bool
  ) throws -> String? {
    guard manifests.count > 1 else { return nil }
    var clash = ManifestClash(caseInsensitive: caseInsensitive)
    var words: String?
    for (index, manifest) in manifests.enumerated() where words == nil {
      try manifest.source.jobs { line in
        if isStopped() { throw ManifestError.stopped(path: manifests[index].source.path) }
        guard case .job(let job) = line else { return true }
        guard let found = clash.take(job, of: index) else { return true }
        words =
          "\(manifests[index].entry.path): \(found.what) is in \(manifests[found.other].entry.path) "
          + "too; give it another id or name, or run the manifests with output folders of their own"
        return false
      }
    }
    return words
  }

  private init(caseInsensitive: Bool) { self.caseInsensitive = caseInsensitive }

  private mutating func take(_ job: Job, of manifest: Int) -> (what: String, other: Int)? {
    var hasher = Hasher()
    for byte in job.id.utf8 { hasher.combine(byte) }
    if let other = Self.take(hasher.finalize(), manifest, &ids) {
      return ("the job \"\(DisplayText.escaped(job.id))\"", other)
    }
    for output in job.outputs {
      if let found = take(output.template, output.rendition, job, manifest) { return found }
    }
    guard let report = job.reportTemplate, let rendition = job.outputs.first?.rendition else {
      return nil
    }
    return take(report, rendition, job, manifest)
  }

  private mutating func take(
    _ template: OutputTemplate, _ rendition: Rendition, _ job: Job, _ manifest: Int
  ) -> (what: String, other: Int)? {
    let values = OutputTemplate.Values(
      job: job.id, asset: job.asset, rendition: rendition.name, type: rendition.type)
    guard template.isKnownBefore, case .success(let path) = template.path(values) else {
      return nil
    }
    let key = OutputName.collisionKey(path, caseInsensitive: caseInsensitive)
    return Self.take(key.hashValue, manifest, &names).map {
      ("the output \"\(path.displayed)\"", $0)
    }
  }

  /// The other manifest that has it already; nil when it is free or this manifest's own.
  private static func take(_ hash: Int, _ manifest: Int, _ taken: inout [Int: Int]) -> Int? {
    if let other = taken[hash] { return other == manifest ? nil : other }
    taken[hash] = manifest
    return nil
  }
}
