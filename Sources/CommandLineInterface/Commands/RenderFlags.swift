import Ledger
package import RenderModel

/// The flags of `minilab render`.
package enum RenderFlags {
  package static let output = Flag(
    "output", .directory(), group: .work, "The folder that renders are published beneath",
    isRequired: true, environment: true)
  package static let library = Flag(
    "library", .directory(), group: .work,
    "The folder that assets are found beneath, in place of the manifest's own", environment: true)
  package static let limit = Flag(
    "limit", .count(from: 1), group: .work, "Carry out only the first N jobs")
  package static let force = Switch(
    "force", group: .work, "Render also what is up to date already")
  package static let onlyReason = Flag(
    "only-reason", .words(), group: .work,
    "Render only what is due for these reasons (see 'minilab plan'), such as new or "
      + "filterChanged:exposure; the others are left for later")
  package static let rebuildOn = Flag(
    "rebuild-on", ValueForm<RenderOptions.RebuildCause>.choice(), group: .work,
    "Render again what is up to date, but was made by other versions of the libraries")
  package static let tolerant = Switch(
    "tolerant", group: .work,
    "Publish what can be decoded of damaged pictures, as 'degraded', with the damage named")
  package static let acceptRemovedEdits = Switch(
    "accept-removed-edits", group: .work,
    "Render without edits where a record that was there before has gone")
  package static let checksum = Switch(
    "checksum", group: .work,
    "Digest originals, LUTs, masks, overlays and renders anew, whatever their times say")
  package static let metadataOnly = Switch(
    "metadata-only", group: .work,
    "Give renders that exist the metadata that are asked for now, without encoding them again; "
      + "renders that would change otherwise stay as they are")
  package static let quarantineAfter = Flag(
    "quarantine-after", .count(from: 0), group: .work,
    "Leave a picture alone that has crashed, hung or run out of memory in N runs, until it, the "
      + "engine or the limits change or it is released; 0 tries it always",
    standard: "2", environment: true)
  package static let invalid = Flag(
    "invalid", ValueForm<RenderOptions.InvalidJobs>.choice(), group: .work,
    "What a problem in a single job does: refuse the manifest, or fail that job",
    standard: "refuse")
  package static let caseInsensitive = Flag(
    "case-insensitive", ValueForm<RenderOptions.CaseInsensitivity>.choice(), group: .work,
    "Whether names that differ only in case are one file in the output folder; auto asks the "
      + "folder itself", standard: "auto")

  package static let workers = Flag(
    "workers", .count(from: 1), group: .machine, "How many jobs run side by side",
    standard: "what the machine grants, see 'minilab doctor'", environment: true)
  package static let memory = Flag(
    "memory", .size(), group: .machine, "What all running jobs together may use",
    standard: "by the memory that the machine grants", environment: true)
  package static let deadline = Flag(
    "deadline", .duration(from: 1), group: .machine,
    "How long one job may run, in place of the manifest's deadline", environment: true)
  package static let drain = Flag(
    "drain", .duration(from: 0), group: .machine,
    "What running jobs are given to finish after SIGTERM",
    standard: "10s", environment: true)
  package static let maxOutputBytes = Flag(
    "max-output-bytes", .size(), group: .machine, "The largest size of one render")
  package static let verify = Flag(
    "verify", ValueForm<VerificationDepth>.choice(), group: .machine,
    "How a second process looks at each render before it is published: type, size, depth and "
      + "profile, or all pixels too", standard: "header", environment: true)
  package static let isolation = Flag(
    "isolation", ValueForm<RenderOptions.Isolation>.choice(), group: .machine,
    "A fresh process for each job, or one for several (not available yet)", standard: "fork")
  package static let sandbox = Flag(
    "sandbox", ValueForm<RenderOptions.SandboxDemand>.choice(), group: .machine,
    "Whether to refuse to start when a layer of the sandbox is missing", standard: "required",
    environment: true)
  package static let state = Flag(
    "state", .directory(), group: .machine, "The folder of journals, ledger, staging and lock",
    standard: "OUTPUT/.minilab", environment: true)

  package static let keepRuns = Flag(
    "keep-runs", .count(from: 1), group: .machine,
    "Keep the folders of the newest N runs, and of older ones only what is still the last word on "
      + "a job", standard: "all folders", environment: true)

  package static let progress = Flag(
    "progress", ValueForm<RenderOptions.ProgressStyle>.choice(), group: .reporting,
    "How progress is shown on standard error", standard: "auto", environment: true)
  package static let format = Flag(
    "format", ValueForm<RenderOptions.OutputFormat>.choice(), group: .reporting,
    "The form of the summary on standard output", standard: "text")
  package static let failOn = Flag(
    "fail-on", .failureRule(), group: .reporting,
    "Which jobs that did not render make the exit status 3: any, those not known before, more "
      + "than a share of all, or none", standard: "any")

  package static let descriptions: [FlagDescription] = [
    output.description, library.description, limit.description, force.description,
    onlyReason.description, rebuildOn.description,
    tolerant.description, acceptRemovedEdits.description, checksum.description,
    metadataOnly.description, quarantineAfter.description, invalid.description,
    caseInsensitive.description,
    workers.description, memory.description, deadline.description, drain.description,
    maxOutputBytes.description, verify.description, isolation.description, sandbox.description,
    state.description, keepRuns.description,
    progress.description, format.description, failOn.description,
  ]
}

extension ValueForm where Value == String {
  /// Names that commas separate; what they may be is looked at later.
  package static func words() -> Self {
    ValueForm(
      placeholder: "REASON[,REASON...]", expectation: "one or more reasons",
      completion: .words(RenderReason.Kind.allCases.map(\.rawValue)),
      read: { $0.text.isEmpty ? nil : $0.text })
  }
}

extension ValueForm where Value == RenderOptions.FailureRule {
  /// `any`, `new`, `none`, or a percentage such as `5%`.
  package static func failureRule() -> Self {
    ValueForm(
      placeholder: "any|new|P%|none",
      expectation: "any, new, none, or a share of the jobs such as 5%",
      completion: .words(["any", "new", "none"]),
      read: { word in
        switch word.text {
        case "any": return .any
        case "new": return .new
        case "none": return RenderOptions.FailureRule.none
        case let text where text.hasSuffix("%"):
          let digits = text.dropLast()
          guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }),
            let share = Double(digits), (0...100).contains(share)
          else { return nil }
          return .percentage(share)
        default: return nil
        }
      })
  }
}
