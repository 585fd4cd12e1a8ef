package import RenderModel

/// Jobs that did not render, in words; every text from outside is escaped.
package enum FailureText {
  /// Such as `2024/a.jpg: failed (truncated) in decode: the file ends early`, without a newline.
  package static func line(_ report: JobReport) -> String {
    line(
      RunSummary.Failure(
        job: report.job, asset: report.asset.relativePath?.displayed,
        state: report.outcome.state, code: report.outcome.code, stage: report.outcome.stage,
        detail: report.outcome.detail))
  }

  package static func line(_ failure: RunSummary.Failure) -> String {
    var text = DisplayText.escaped(failure.job)
    if let asset = failure.asset, asset != DisplayText.escaped(failure.job) {
      text += " (\(asset))"
    }
    text += ": \(failure.state)"
    if let code = failure.code { text += " (\(code))" }
    if let stage = failure.stage { text += " in \(stage)" }
    if let detail = failure.detail, !detail.isEmpty { text += ": \(detail)" }
    return DisplayText.escaped(text)
  }

  /// What a person can do about one kind of failure; nil where there is nothing to say.
  package static func advice(state: String, code: String?) -> String? {
    switch OutcomeState(rawValue: state) {
    case .timedOut:
      return "raise the deadline (--deadline, or deadline in the manifest) if the picture is sound"
    case .quarantined:
      return
        "set aside after ending its process repeatedly; tried again when the picture, the engine or "
        + "the limits change, or after minilab quarantine release"
    case .failed: return code.flatMap(FailureCode.init).map(advice)
    default: return nil
    }
  }

  /// What a person can do about a photo that is kept as it is.
  package static func advice(_ code: KeptCode) -> String {
    switch code {
    case .recordMissing:
      "put the record back, or render without edits with --accept-removed-edits"
    case .unknownFormat, .unknownVersion:
      "write the edits as a record of org.minilab.adjustments, or say with "
        + "\"adjustment\": \"none\" that they are not wanted"
    case .belowExact: "allow what is only approximated"
    case .pixelsOutdated: "render without --metadata-only"
    }
  }

  private static func advice(_ code: FailureCode) -> String {
    switch code {
    case .unreadable: "check that the file is there, not empty, and may be read"
    case .unsupportedType: "take it out of the manifest, or convert it to a type that is read"
    case .truncated: "copy the file again from where it came; --tolerant renders what is left"
    case .limitExceeded: "raise the limit that is named, if you trust the picture"
    case .invalidAdjustment:
      "correct the adjustment; minilab filters NAME shows what a filter takes"
    case .invalidJob: "correct the manifest; minilab validate lists all problems"
    case .crashed, .policyViolation:
      "the picture breaks its decoder; no other job was affected; please report it"
    case .memory: "run with fewer --workers, or render a smaller picture"
    case .outputTooLarge: "lower the quality or the targetSize of the rendition"
    case .outputConflict: "make the name template tell the outputs apart"
    case .nameTooLong: "shorten the name template"
    case .inputChanged: "run again when nothing writes to the original any more"
    case .ioStalled: "check the storage that holds the original"
    case .diskFull: "free some space, then run the same command again"
    case .outputUnwritable: "check the permissions of the output folder"
    case .internal: "a fault of Minilab's own; please report it with the journal"
    }
  }
}
