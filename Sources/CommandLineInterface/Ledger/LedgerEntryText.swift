import Ledger
import RenderModel
import SystemSupport

/// What is known of a job, for a person.
enum LedgerEntryText {
  /// One line: how the last attempt ended, when, and which job it was.
  static func line(_ entry: LedgerEntry) -> String {
    let ending = ending(.init(entry.outcome, code: entry.code))
    let space = String(repeating: " ", count: max(1, 24 - ending.count))
    return "\(ending)\(space)\(WallClock.iso8601(entry.finished))  "
      + DisplayText.escaped(entry.job)
  }

  /// Everything, a fact a line, below the job's id.
  static func page(_ entry: LedgerEntry) -> String {
    let facts = attempt(entry) + input(entry) + output(entry)
    let lines = facts.map { name, text in
      "  \(name)\(String(repeating: " ", count: 14 - name.count))\(DisplayText.escaped(text))\n"
    }
    return DisplayText.escaped(entry.job) + "\n" + lines.joined()
  }

  private static func attempt(_ entry: LedgerEntry) -> [(String, String)] {
    var facts = [
      ("ended", ending(.init(entry.outcome, code: entry.code))),
      ("finished", WallClock.iso8601(entry.finished)), ("run", entry.run),
    ]
    if let earlier = entry.earlier { facts.append(("before that", ending(earlier))) }
    if entry.strikes > 0 {
      facts.append(
        ("strikes", "\(entry.strikes) of the content \(entry.struckSource ?? "unknown")"))
    }
    return facts
  }

  private static func input(_ entry: LedgerEntry) -> [(String, String)] {
    var facts = [("asset", entry.asset.displayed)]
    if let source = entry.source { facts.append(("source", source.sha256)) }
    if let adjustment = entry.adjustment {
      let origin = adjustment.origin.map { ", \($0.displayed)" } ?? ", in the manifest"
      facts.append(
        (
          "adjustment",
          "\(adjustment.formatIdentifier) \(adjustment.formatVersion)\(origin), \(adjustment.sha256)"
        ))
    } else if entry.hadRecord {
      facts.append(("adjustment", "there was one"))
    }
    if !entry.filters.isEmpty {
      let filters = entry.filters.map { "\($0.name) \($0.version)" }
      facts.append(("filters", filters.joined(separator: ", ")))
    }
    facts += entry.resources.map { ("reads", "\($0.path.displayed), \($0.sha256)") }
    if let recipe = entry.recipe { facts.append(("recipe", recipe)) }
    if let key = entry.renderKey { facts.append(("render key", key)) }
    if let engine = entry.engine { facts.append(("made by", engine)) }
    return facts
  }

  private static func output(_ entry: LedgerEntry) -> [(String, String)] {
    entry.outputs.map {
      ("output", "\($0.rendition): \($0.path.displayed), \($0.bytes) bytes, \($0.sha256)")
    } + (entry.reportFile.map { [("report file", $0.displayed)] } ?? [])
  }

  private static func ending(_ ending: LedgerEntry.Ending) -> String {
    ending.outcome.rawValue + (ending.code.map { "(\($0))" } ?? "")
  }
}
