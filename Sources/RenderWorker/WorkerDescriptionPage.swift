import Glibc
import Imaging
import RenderModel
import Sandbox
import SystemSupport

/// What `minilab doctor` asks: engine, formats, sandbox layers, and probes of the sealed state.
enum WorkerDescriptionPage {
  static func write(_ options: WorkerOptions) -> Int32 {
    do {
      let engine = try ImagingRuntime.start()
      let support = SandboxSupport.probe()
      let sealed = try? Sandbox.prepare(WorkerPolicy.policy(for: options))
      let probes = sealed.map { SandboxProbe.run(in: $0) } ?? []
      let text = object([
        ("engine", object(engine.sorted { $0.key < $1.key }.map { ($0.key, literal($0.value)) })),
        ("readable", array(UniformType.readable.map { literal($0.rawValue) })),
        ("writable", array(ImagingRuntime.writable.map { literal($0.rawValue) })),
        (
          "sandbox",
          object(
            support.lines.map { line in
              (
                line.layer.rawValue,
                object([
                  ("available", line.isAvailable ? "true" : "false"),
                  ("detail", literal(line.text)),
                ])
              )
            })
        ),
        (
          "probes",
          array(
            probes.map { probe in
              object([
                ("name", literal(probe.name)), ("refused", probe.refused ? "true" : "false"),
                ("observed", literal("\(probe.observed)")),
              ])
            })
        ),
      ])
      try FileTransfer.writeAll(OwnedDescriptor(owning: dup(1)), Array((text + "\n").utf8))
      return 0
    } catch {
      WorkerMain.complain("minilab-worker: \(error)")
      return 1
    }
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { literal($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }

  private static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  /// The texts are ours, of plain letters; what JSON must escape is left out all the same.
  private static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in DisplayText.escaped(text).unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
