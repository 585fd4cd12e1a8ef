import JSONText
import RenderModel
import SystemSupport

extension Diagnosis {
  /// The diagnosis for a program: one JSON object, members in a fixed order.
  package var json: String {
    object([
      ("kernel", literal(facts.kernel)),
      ("processors", processors),
      ("memory", memory),
      ("workers", "\(workers)"),
      ("state", state),
      ("worker", worker),
      ("missing", array(findings.map(describe))),
      ("exitStatus", "\(status.rawValue)"),
    ]) + "\n"
  }

  private var processors: String {
    object([
      ("granted", "\(facts.resources.cpus)"), ("affinity", "\(facts.resources.affinity)"),
      ("quota", facts.resources.quota.map { "\($0)" } ?? "null"),
    ])
  }

  private var memory: String {
    object([
      ("available", "\(facts.resources.memoryAvailable)"),
      ("limit", facts.resources.memoryLimit.map { "\($0)" } ?? "null"),
    ])
  }

  private var state: String {
    let fileSystem = facts.state.fileSystem
    return object([
      ("path", literal(facts.state.path)),
      ("fileSystem", fileSystem.map { literal($0.kindName) } ?? "null"),
      ("network", fileSystem.map { "\($0.isNetwork)" } ?? "null"),
      ("available", fileSystem.map { "\($0.available)" } ?? "null"),
    ])
  }

  private var worker: String {
    guard case .described(let path, let description) = facts.worker else { return "null" }
    let layers = description.sandbox.map { layer in
      (
        layer.name,
        object([("available", "\(layer.isAvailable)"), ("detail", literal(layer.detail))])
      )
    }
    let probes = description.probes.map { probe in
      object([
        ("name", literal(probe.name)), ("refused", "\(probe.isRefused)"),
        ("observed", literal(probe.observed)),
      ])
    }
    return object([
      ("path", literal(path)),
      ("engine", object(description.engine.map { ($0.name, literal($0.number)) })),
      ("readable", array(description.readable.map(literal))),
      ("writable", array(description.writable.map(literal))),
      ("sandbox", object(layers)),
      ("probes", array(probes)),
    ])
  }

  private func describe(_ finding: Finding) -> String {
    object([
      ("weight", literal(finding.weight.rawValue)), ("what", literal(finding.what)),
      ("remedy", literal(finding.remedy)),
    ])
  }

  private func literal(_ text: String) -> String { JSONEscaping.literal(text) }

  private func array(_ items: [String]) -> String { JSONEscaping.array(items) }

  private func object(_ members: [(String, String)]) -> String { JSONEscaping.object(members) }
}
