import Coordinator
import Ledger
import RenderModel
import Reporting

/// The story of a job, for a person.
enum ExplanationText {
  /// What would be done, what was compared, and what is recorded; ends with a newline.
  static func page(_ story: JobExplanation) -> String {
    let planned = story.told.planned
    var lines = [planned.job, "  " + decision(story)]
    if let detail = planned.detail { lines.append("  " + detail) }
    if let deciding = story.told.comparisons.first(where: \.decides) {
      lines.append("  because of: " + name(deciding) + values(deciding))
    }
    if let remedy = story.told.remedy { lines.append("  what helps: " + remedy) }
    if let manifest = story.told.manifest { lines.append("  manifest: " + manifest) }
    if !story.told.comparisons.isEmpty {
      lines.append("Compared:")
      lines += story.told.comparisons.map(line)
    }
    var text = lines.map { DisplayText.escaped($0) + "\n" }.joined()
    guard let entry = story.entry else {
      return text + "Recorded: nothing; it was never reported.\n"
    }
    text += "Recorded:\n"
    // The first line of the page is the id once more.
    let facts = LedgerEntryText.page(entry).split(separator: "\n").dropFirst()
    text += facts.map { $0 + "\n" }.joined()
    if let words = story.told.lastWords {
      text += "  last words    " + DisplayText.escaped(words) + "\n"
    }
    return text
  }

  private static func decision(_ story: JobExplanation) -> String {
    let planned = story.told.planned
    guard story.told.manifest != nil else { return "would not be looked at" }
    switch planned.action {
    case .render: return "would be rendered: \(planned.reason ?? "")"
    case .refresh: return "would be given other metadata: \(planned.reason ?? "")"
    case .fresh: return "is up to date"
    case .kept: return "would be kept as it is: \(planned.code ?? "")"
    case .skipped:
      return "would be skipped" + (planned.reason.map { ", though it is due: \($0)" } ?? "")
    case .failed: return "would fail before it starts: \(planned.code ?? "")"
    case .quarantined: return "is set aside" + (planned.code.map { ": \($0)" } ?? "")
    }
  }

  private static func line(_ comparison: ExplainedJob.Comparison) -> String {
    let mark = comparison.decides ? ">" : comparison.same ? "=" : "x"
    let name = name(comparison)
    let space = String(repeating: " ", count: max(1, 20 - name.count))
    if comparison.same, let recorded = comparison.recorded {
      return "  \(mark) \(name)\(space)\(recorded)"
    }
    return "  \(mark) \(name)\(space)" + values(comparison).drop { $0 == " " }
  }

  private static func name(_ comparison: ExplainedJob.Comparison) -> String {
    let word =
      switch comparison.subject {
      case .lastAttempt: "last attempt"
      case .reportFile: "report file"
      default: comparison.subject.rawValue
      }
    return comparison.name.map { "\(word) \($0)" } ?? word
  }

  private static func values(_ comparison: ExplainedJob.Comparison) -> String {
    if comparison.subject == .lastAttempt {
      return " ended as " + (comparison.recorded ?? "nothing")
    }
    return " was \(comparison.recorded ?? "not there"), is \(comparison.now ?? "not there")"
  }
}
