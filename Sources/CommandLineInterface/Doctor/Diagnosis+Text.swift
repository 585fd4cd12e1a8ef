import RenderModel
import SystemSupport

extension Diagnosis {
  /// The diagnosis for a person.
  package func text(style: TextStyle) -> String {
    var text = section("Machine", machineRows, style)
    if case .described(let path, let description) = facts.worker {
      let engine = description.engine.map { (term: $0.name, text: $0.number) }
      text += "\n" + section("Engine", [(term: "program", text: path)] + engine, style)
      text += "\n" + section("Formats", formatRows(description), style)
      text += "\n" + section("Sandbox", sandboxRows(description), style)
    }
    text += "\n" + style.heading("Missing:") + "\n"
    if findings.isEmpty { return text + "  nothing\n" }
    return text
      + findings.map { finding in
        let mark = finding.weight == .blocking ? style.error("error:") : "note:"
        return "  \(mark) \(DisplayText.escaped(finding.what))\n"
          + "      remedy: \(DisplayText.escaped(finding.remedy))\n"
      }.joined()
  }

  private var machineRows: [(term: String, text: String)] {
    let resources = facts.resources
    let quota = resources.quota.map { "quota \(Self.decimal($0))" } ?? "no quota"
    let limit =
      resources.memoryLimit.map { "limit \(ByteCountText.describe($0))" } ?? "no limit"
    return [
      ("kernel", facts.kernel),
      ("processors", "\(resources.cpus) granted (\(resources.affinity) usable, \(quota))"),
      ("memory", "\(ByteCountText.describe(resources.memoryAvailable)) available, \(limit)"),
      ("workers", "\(workers) unless --workers says otherwise"),
      ("state", facts.state.path + (facts.state.fileSystem.map(Self.describe) ?? "")),
    ]
  }

  private static func describe(_ fileSystem: FileSystemSpace) -> String {
    ": \(fileSystem.kindName), \(ByteCountText.describe(fileSystem.available)) free"
  }

  private func formatRows(_ description: WorkerDescription) -> [(term: String, text: String)] {
    [
      ("read", description.readable.joined(separator: " ")),
      ("written", description.writable.joined(separator: " ")),
    ]
  }

  private func sandboxRows(_ description: WorkerDescription) -> [(term: String, text: String)] {
    let layers = description.sandbox.map { layer in
      (term: layer.name, text: "\(layer.isAvailable ? "available" : "missing"): \(layer.detail)")
    }
    let refused = description.probes.count(where: \.isRefused)
    let proof =
      "\(refused) of \(description.probes.count) forbidden things (listed by --format json)"
    return layers + (description.probes.isEmpty ? [] : [(term: "refused", text: proof)])
  }

  private func section(
    _ title: String, _ rows: [(term: String, text: String)], _ style: TextStyle
  ) -> String {
    let safe = rows.map { (term: DisplayText.escaped($0.term), text: DisplayText.escaped($0.text)) }
    return style.heading(title + ":") + "\n" + WrappedText.table(safe, width: 80, column: 16)
  }

  private static func decimal(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = String(hundredths % 100 + 100).dropFirst()
    return "\(hundredths / 100).\(fraction)"
  }
}
