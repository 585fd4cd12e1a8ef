import JSONText
import Ledger
import RenderModel
import SystemSupport

/// What is known of a job as JSON; members are named as in reports, and those that are not known left out.
enum LedgerEntryJSON {
  static func object(_ entry: LedgerEntry) -> String {
    var members = [("job", literal(entry.job))]
    members += path("asset", entry.asset)
    members.append(("outcome", ending(.init(entry.outcome, code: entry.code))))
    if let earlier = entry.earlier { members.append(("earlier", ending(earlier))) }
    members += [
      ("run", literal(entry.run)), ("finished", literal(WallClock.iso8601(entry.finished))),
    ]
    if let source = entry.source {
      members.append(("source", file(source.sha256, identity: source.identity)))
    }
    if let adjustment = entry.adjustment { members.append(("adjustment", text(of: adjustment))) }
    members.append(("hadRecord", "\(entry.hadRecord)"))
    members += [("renderKey", entry.renderKey), ("recipe", entry.recipe)].compactMap {
      name, value in value.map { (name, literal($0)) }
    }
    members.append(
      (
        "filters",
        JSONEscaping.array(
          entry.filters.map {
            JSONEscaping.object([("name", literal($0.name)), ("version", "\($0.version)")])
          })
      ))
    members.append(
      (
        "resources",
        JSONEscaping.array(
          entry.resources.map {
            file($0.sha256, path("path", $0.path), bytes: $0.bytes, identity: $0.identity)
          })
      ))
    members.append(
      (
        "outputs",
        JSONEscaping.array(
          entry.outputs.map {
            file(
              $0.sha256, [("rendition", literal($0.rendition))] + path("path", $0.path),
              bytes: $0.bytes, identity: $0.identity)
          })
      ))
    members += [("pixels", entry.pixels.map(String.init)), ("cpu", entry.cpu.map { "\($0)" })]
      .compactMap { name, value in value.map { (name, $0) } }
    if let engine = entry.engine { members.append(("engine", literal(engine))) }
    if let file = entry.reportFile { members += path("reportFile", file) }
    members.append(("strikes", "\(entry.strikes)"))
    if let struck = entry.struckSource { members.append(("struckSource", literal(struck))) }
    return JSONEscaping.object(members)
  }

  private static func ending(_ ending: LedgerEntry.Ending) -> String {
    JSONEscaping.object(
      [("state", literal(ending.outcome.rawValue))]
        + (ending.code.map { [("code", literal($0))] } ?? []))
  }

  private static func text(of adjustment: LedgerEntry.Adjustment) -> String {
    JSONEscaping.object(
      [
        ("formatIdentifier", literal(adjustment.formatIdentifier)),
        ("formatVersion", literal(adjustment.formatVersion)),
        ("sha256", literal(adjustment.sha256)),
      ] + (adjustment.origin.map { path("path", $0) } ?? []))
  }

  private static func file(
    _ sha256: String, _ before: [(String, String)] = [], bytes: Int? = nil, identity: FileIdentity?
  ) -> String {
    JSONEscaping.object(
      before + (bytes.map { [("bytes", "\($0)")] } ?? []) + [("sha256", literal(sha256))]
        + (identity.map { [("identity", text(of: $0))] } ?? []))
  }

  private static func text(of identity: FileIdentity) -> String {
    JSONEscaping.object([
      ("inode", "\(identity.inode)"), ("size", "\(identity.size)"),
      ("modified", "\(identity.modified)"), ("changed", "\(identity.changed)"),
    ])
  }

  /// A name that is not UTF-8 is given in base64, under the name with `Bytes`.
  private static func path(_ name: String, _ path: RelativePath) -> [(String, String)] {
    if let text = path.string { return [(name, literal(text))] }
    return [(name + "Bytes", literal(Base64.encode(path.bytes)))]
  }

  private static func literal(_ text: String) -> String { JSONEscaping.literal(text) }
}
