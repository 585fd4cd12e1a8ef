import Ledger
import RenderModel
import SystemSupport

extension JobDecider {
  /// The original of a job that is to be rendered, read only if nobody knows its digest.
  func original(of findings: JobFindings) -> Result<OpenedOriginal, RenderFailure> {
    if let original = findings.original { return .success(original) }
    return read(findings)
  }

  /// Opens the original for a process, and digests it where its digest is not known or must not be
  /// believed.
  func read(_ findings: JobFindings) -> Result<OpenedOriginal, RenderFailure> {
    let known = knownDigest(of: findings)
    let result = reader.read(findings.file, findings.context.job.asset, known: known)
    if known == nil, case .success(let original) = result {
      sourceDigests.keep(original.sha256, of: findings.file)
    }
    return result
  }

  /// The digest of a file that is still the one somebody read; nil when that is not sure.
  ///
  /// What the ledger knows is not believed by a forced job: somebody doubts what is there.
  func knownDigest(of findings: JobFindings) -> String? {
    if ignoresTimes { return nil }
    if let known = sourceDigests.digest(of: findings.file) { return known }
    if isForced { return nil }
    let identity = findings.file.status.identity
    if let known = findings.entry?.sourceDigest(of: identity) { return known }
    // A job that is named after its asset, as most are, may know what this one does not.
    let job = findings.context.job
    guard let name = job.asset.string, !name.utf8.elementsEqual(job.id.utf8),
      let other = try? ledger.lookUp(name)
    else { return nil }
    return other.sourceDigest(of: identity)
  }
}

extension LedgerEntry {
  /// The original's digest if this is the file that it was taken of; nil when that is not sure.
  func sourceDigest(of identity: FileIdentity) -> String? {
    source.flatMap { $0.identity == identity ? $0.sha256 : nil }
  }
}
