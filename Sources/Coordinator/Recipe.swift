import Digest
import JSONText
package import RenderModel

/// Everything but the picture and its record that decides the bytes and names of a job's outputs.
package enum Recipe {
  /// The digest of a job's renditions and templates, in hexadecimal.
  package static func digest(of job: Job) -> String {
    var text = "minilab recipe 1\n"
    for output in job.outputs { text += line(output) + "\n" }
    if let report = job.reportTemplate { text += "report \(describe(report))\n" }
    if job.tolerant { text += "tolerant\n" }
    if job.rawSource != .sensor { text += "rawSource \(job.rawSource.rawValue)\n" }
    return SHA256Value.of(Array(text.utf8)).hex
  }

  /// The digest over all that makes a render what it is, in hexadecimal.
  ///
  /// `files`: digests of what the filters read, in the order of their first use.
  package static func renderKey(
    source: String, adjustment: String?, recipe: String, filters: [FilterStep],
    files: [String] = []
  ) -> String {
    let versions = Set(filters.map { "\($0.name)@\($0.version)" }).sorted()
    let lines =
      ["minilab render key 1", source, adjustment ?? "none", recipe] + versions
      + files.map { "file \($0)" }
    return SHA256Value.of(Array(lines.joined(separator: "\n").utf8)).hex
  }

  private static func line(_ output: Job.Output) -> String {
    let rendition = output.rendition
    let size = rendition.targetSize.map { "\($0.width)x\($0.height)" } ?? "full"
    // What is spelled out and would hold anyway changes nothing.
    let options = rendition.options.sorted.filter { option in
      option.value != OutputOption.named(option.name)?.use(by: rendition.type)?.standard
    }.map { "\($0.name.rawValue)=\($0.value.text)" }
    return
      ([
        JSONEscaping.literal(rendition.name), rendition.type.rawValue, size,
        rendition.contentMode.rawValue, rendition.deliveryMode.rawValue,
        rendition.enlarge ? "enlarge" : "reduce", "q\(rendition.quality)",
        "d\(rendition.bitDepth ?? 8)", colour(rendition), rendition.metadata.rawValue,
        rendition.location.rawValue, describe(output.template),
      ] + options).joined(separator: " ")
  }

  /// Words that are left out say what they said before they were known.
  private static func colour(_ rendition: Rendition) -> String {
    var words = [
      rendition.profile.map { "profile=\(JSONEscaping.literal($0))" }
        ?? rendition.colorSpace.rawValue
    ]
    if rendition.renderingIntent != .relative { words.append(rendition.renderingIntent.rawValue) }
    if rendition.blackPointCompensation { words.append("blackPoint") }
    return words.joined(separator: " ")
  }

  private static func describe(_ template: OutputTemplate) -> String {
    template.pieces.map { piece in
      switch piece {
      case .literal(let bytes): JSONEscaping.literal(DisplayText.escaped(bytes))
      case .field(let field): "{\(field)}"
      }
    }.joined()
  }
}
