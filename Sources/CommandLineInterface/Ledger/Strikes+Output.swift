import JSONText
import RenderModel

/// The evidence against a picture's content as JSON, with the members that reports have.
enum StrikesJSON {
  static func object(_ strikes: Strikes) -> String {
    func literal(_ text: String) -> String { JSONEscaping.literal(text) }
    var members = [
      ("count", "\(strikes.count)"), ("source", literal(strikes.source)),
      ("engine", literal(strikes.engine)),
      (
        "limits",
        JSONEscaping.object([
          ("deadline", "\(strikes.limits.deadline)"),
          ("deadlinePerMegapixel", "\(strikes.limits.deadlinePerMegapixel)"),
          ("memory", "\(strikes.limits.memory)"),
        ])
      ), ("job", literal(strikes.job)), ("state", literal(strikes.state)),
    ]
    members += [
      ("code", strikes.code), ("stage", strikes.stage), ("detail", strikes.detail),
      ("run", strikes.run), ("finished", strikes.finished),
    ].compactMap { name, value in value.map { (name, literal($0)) } }
    if let peak = strikes.peakMemory { members.append(("peakMemory", "\(peak)")) }
    return JSONEscaping.object(members)
  }
}

/// The evidence against a picture's content, for a person.
enum StrikesText {
  /// Facts for the page of a job.
  static func facts(_ strikes: Strikes) -> [(String, String)] {
    let limits = strikes.limits
    var facts = [
      ("strikes", "\(strikes.count) of the content \(strikes.source)"),
      ("struck last", "\(ending(strikes)), run \(strikes.run), \(strikes.finished)"),
    ]
    if let detail = strikes.detail { facts.append(("", detail)) }
    if let peak = strikes.peakMemory { facts.append(("peak memory", "\(peak >> 20) MiB")) }
    let perMegapixel =
      limits.deadlinePerMegapixel > 0 ? " and \(limits.deadlinePerMegapixel) ms a megapixel" : ""
    facts += [
      (
        "struck within",
        "\(limits.deadline) ms\(perMegapixel), \(limits.memory >> 20) MiB for all jobs"
      ), ("struck by", strikes.engine),
    ]
    return facts
  }

  /// `timedOut in encode`, `failed(crashed) in encode`.
  static func ending(_ strikes: Strikes) -> String {
    strikes.state + (strikes.code.map { "(\($0))" } ?? "")
      + (strikes.stage.map { " in \($0)" } ?? "")
  }
}
