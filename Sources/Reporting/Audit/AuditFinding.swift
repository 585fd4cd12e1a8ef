package import RenderModel

/// Something that is not as it was reported: a line of `minilab verify`.
///
/// The member names are a published interface (`docs/schemas/verification-line.schema.json`).
package struct AuditFinding: Sendable, Codable, Equatable {
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// Nothing, or no regular file, has the output's name.
    case outputMissing
    /// The bytes are not those that were reported.
    case outputDamaged
    case outputUnreadable
    /// `--quick`: its size is right and its inode or times are not those that were reported.
    case outputTouched
    case reportMissing
    /// No report in JSON, or one that speaks of another job or of other bytes.
    case reportDamaged
    case reportUnreadable
  }

  package var schema = 1
  package var kind = "finding"
  package var code: Code
  package var job: String
  /// nil for the report file beside the renders.
  package var rendition: String?
  /// nil when the name is not UTF-8; then `pathBytes` has it in base64.
  package var path: String?
  package var pathBytes: String?
  /// One sentence for a person.
  package var detail: String
  /// Whether its inode, size and times are those that were reported, so that only reading tells.
  package var isSilent: Bool?

  package init(
    _ code: Code, job: String, rendition: String?, path: RelativePath, detail: String,
    isSilent: Bool = false
  ) {
    self.code = code
    self.job = job
    self.rendition = rendition
    self.path = path.string
    pathBytes = path.string == nil ? Base64.encode(path.bytes) : nil
    self.detail = detail
    self.isSilent = isSilent ? true : nil
  }

  private enum CodingKeys: String, CodingKey {
    case schema, kind, code, job, rendition, path, pathBytes, detail
    case isSilent = "silent"
  }

  package var relativePath: RelativePath? { JobReport.path(path, pathBytes) }

  /// One line for a person, safe to show, without a newline.
  package var line: String {
    let space = String(repeating: " ", count: max(1, 18 - code.rawValue.count))
    return code.rawValue + space + (relativePath?.displayed ?? "")
      + " (job \(DisplayText.escaped(job))): \(DisplayText.escaped(detail))"
  }
}
