import CSystem

/// How much of the machine is granted to this process.
package struct HostResources: Sendable, Equatable {
  /// Processors it may run on.
  package let affinity: Int
  /// Processors' worth of time, by the tightest control group; nil without a quota.
  package let quota: Double?
  /// Bytes, by the tightest control group; nil without a limit.
  package let memoryLimit: Int64?
  /// Bytes the machine could give without swapping; 0 when it doesn't say.
  package let memoryAvailable: Int64

  package init(affinity: Int, quota: Double?, memoryLimit: Int64?, memoryAvailable: Int64) {
    self.affinity = affinity
    self.quota = quota
    self.memoryLimit = memoryLimit
    self.memoryAvailable = memoryAvailable
  }

  /// Whole processors to plan with, at least one.
  package var cpus: Int {
    guard let quota, quota < Double(affinity) else { return max(1, affinity) }
    return max(1, Int(quota))
  }

  /// Reads the control groups and memory of a root, `/` for this machine.
  ///
  /// What can't be read counts as no limit.
  package static func detect(
    root: String = "/", affinity: Int = HostResources.currentAffinity()
  ) -> HostResources {
    let base = root.hasSuffix("/") ? String(root.dropLast()) : root
    let groups = ControlGroups(
      membership: SystemText.read(base + "/proc/self/cgroup") ?? "",
      mounts: SystemText.read(base + "/proc/self/mountinfo") ?? "")
    return HostResources(
      affinity: affinity,
      quota: tightest(groups.chains(controller: "cpu"), base: base, quota(in:isUnified:)),
      memoryLimit: tightest(
        groups.chains(controller: "memory"), base: base, memoryLimit(in:isUnified:)),
      memoryAvailable: memoryAvailable(SystemText.read(base + "/proc/meminfo") ?? ""))
  }

  /// Processors the scheduler may put this process on; 1 when it doesn't say.
  package static func currentAffinity() -> Int {
    max(1, Int(minilab_affinity_count()))
  }

  /// The smallest value of all levels: a parent may be tighter than its child.
  private static func tightest<Value: Comparable>(
    _ chains: [ControlGroups.Chain], base: String, _ value: (String, Bool) -> Value?
  ) -> Value? {
    chains.flatMap { chain in
      chain.folders.compactMap { value(base + $0, chain.isUnified) }
    }.min()
  }

  private static func quota(in folder: String, isUnified: Bool) -> Double? {
    let text: String?
    if isUnified {
      text = SystemText.read(folder + "/cpu.max")
    } else {
      let period = SystemText.read(folder + "/cpu.cfs_period_us") ?? ""
      text = SystemText.read(folder + "/cpu.cfs_quota_us").map { $0 + " " + period }
    }
    // No limit is the word "max" in version 2 and -1 in version 1.
    let numbers = (text ?? "").split(separator: " ").map { Double($0) ?? -1 }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
    return numbers[0] / numbers[1]
  }

  private static func memoryLimit(in folder: String, isUnified: Bool) -> Int64? {
    let name = isUnified ? "/memory.max" : "/memory.limit_in_bytes"
    guard let text = SystemText.read(folder + name), let limit = Int64(text) else { return nil }
    // Version 1 writes no limit as the largest number of whole pages.
    return limit > 0 && limit < 1 << 60 ? limit : nil
  }

  private static func memoryAvailable(_ text: String) -> Int64 {
    for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
      let fields = line.split(separator: " ")
      if fields.count > 1, let kibibytes = Int64(fields[1]) { return kibibytes * 1024 }
    }
    return 0
  }
}
