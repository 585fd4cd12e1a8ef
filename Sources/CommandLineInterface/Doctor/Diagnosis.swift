package import RenderModel
import SystemSupport

/// Something that is missing, and how to get it.
package struct Finding: Hashable, Sendable {
  package enum Weight: String, Hashable, Sendable {
    /// Nothing can be rendered.
    case blocking
    /// Something is missing that a run may never need.
    case note
  }

  package var weight: Weight
  package var what: String
  package var remedy: String

  package init(_ weight: Weight, _ what: String, remedy: String) {
    self.weight = weight
    self.what = what
    self.remedy = remedy
  }
}

/// What follows from the facts of a machine.
package struct Diagnosis: Sendable {
  package let facts: MachineFacts
  package let findings: [Finding]
  package let status: ExitStatus

  private static let scarceBytes: Int64 = 1 << 30

  package init(_ facts: MachineFacts) {
    self.facts = facts
    var findings: [Finding] = []
    var status = ExitStatus.success
    switch facts.worker {
    case .missing(let searched):
      findings.append(
        Finding(
          .blocking,
          "\(WorkerLocation.name) is missing: looked for "
            + searched.joined(separator: " and "),
          remedy: "install both programs into one folder"))
      status = .configuration
    case .unusable(let path, let reason):
      findings.append(
        Finding(
          .blocking, "\(path) cannot be used: \(reason)",
          remedy: "install both programs of one version, and libvips (Debian: libvips42)"))
      status = .configuration
    case .described(_, let description):
      let seals = Self.sandboxFindings(description)
      findings += seals + Self.formatFindings(description)
      if seals.contains(where: { $0.weight == .blocking }) { status = .sandboxUnavailable }
    }
    findings += Self.machineFindings(facts)
    self.findings = findings
    self.status = status
  }

  /// As many jobs at a time as processors are granted.
  package var workers: Int { facts.resources.cpus }

  private static func sandboxFindings(_ description: WorkerDescription) -> [Finding] {
    let layers = description.sandbox.filter { !$0.isAvailable }.map { layer in
      Finding(
        .blocking, "the sandbox layer \(layer.name) is not available: \(layer.detail)",
        remedy: remedies[layer.name]
          ?? "ask the administrator, or accept the risk with --sandbox best-effort")
    }
    let probes = description.probes.filter { !$0.isRefused }.map { probe in
      Finding(
        .blocking, "a sealed process was not refused '\(probe.name)': \(probe.observed)",
        remedy: "render only photos that you trust, and report this")
    }
    return layers + probes
  }

  private static let remedies = [
    "landlock":
      "Linux 5.13 or newer with 'landlock' in its lsm= list, or accept the risk with --sandbox "
      + "best-effort",
    "seccomp":
      "a kernel with CONFIG_SECCOMP_FILTER and a container profile that allows seccomp, or accept "
      + "the risk with --sandbox best-effort",
  ]

  private static func formatFindings(_ description: WorkerDescription) -> [Finding] {
    func missing(_ wanted: [UniformType], in offered: [String], _ verb: String) -> [Finding] {
      wanted.filter { !offered.contains($0.rawValue) }.map { type in
        Finding(
          .note, "\(type.rawValue) cannot be \(verb)",
          remedy: type == .heic && verb == "written"
            ? "a libheif with an encoder of HEVC, which is x265 (Debian's libheif1 has it)"
            : "a libvips with that codec (Debian: libvips42 with its recommended packages)")
      }
    }
    return missing(UniformType.readable, in: description.readable, "read")
      + missing(UniformType.writable, in: description.writable, "written")
  }

  private static func machineFindings(_ facts: MachineFacts) -> [Finding] {
    var findings: [Finding] = []
    if facts.memoryGranted > 0, facts.memoryGranted < scarceBytes {
      findings.append(
        Finding(
          .note, "only \(ByteCountText.describe(facts.memoryGranted)) of memory are granted",
          remedy: "fewer workers, or more memory: one large photo takes several hundred megabytes"))
    }
    guard let fileSystem = facts.state.fileSystem else {
      findings.append(
        Finding(
          .note, "the folder \(facts.state.path) cannot be looked at",
          remedy: "name one with --output that this user may read and write"))
      return findings
    }
    if fileSystem.isNetwork {
      findings.append(
        Finding(
          .note,
          "state under \(facts.state.path) would lie on a network file system "
            + "(\(fileSystem.kindName))",
          remedy: "name a local folder with --state"))
    }
    if fileSystem.available < scarceBytes {
      findings.append(
        Finding(
          .note,
          "only \(ByteCountText.describe(fileSystem.available)) are free under "
            + facts.state.path,
          remedy: "make room, or name another folder with --output"))
    }
    return findings
  }
}

extension MachineFacts {
  /// Bytes; the tighter of what is free and what the control group allows; 0 when neither is known.
  package var memoryGranted: Int64 {
    guard let limit = resources.memoryLimit else { return resources.memoryAvailable }
    return resources.memoryAvailable == 0 ? limit : min(limit, resources.memoryAvailable)
  }
}

/// A number of bytes in words, by 1024.
enum ByteCountText {
  static func describe(_ bytes: Int64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    let number = unit == 0 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(units[unit])"
  }
}
