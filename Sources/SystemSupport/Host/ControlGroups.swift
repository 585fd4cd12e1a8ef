/// Which folders of the control-group trees apply to this process.
///
/// Paths are as the process sees them; the same code reads version 1, 2 and both side by side.
struct ControlGroups {
  /// A folder for each level, from the process's own group up to the mounted root.
  struct Chain: Equatable {
    var isUnified: Bool
    /// Innermost first.
    var folders: [String]
  }

  private let mounts: [MountEntry]
  private let memberships: [Membership]

  /// Takes the text of `/proc/self/cgroup` and `/proc/self/mountinfo`.
  init(membership: String, mounts: String) {
    self.memberships = membership.split(separator: "\n").compactMap { Membership(line: $0) }
    self.mounts = mounts.split(separator: "\n").compactMap { MountEntry(line: $0) }
  }

  /// The folders that may limit a controller: one chain a tree that has it.
  func chains(controller: Substring) -> [Chain] {
    memberships.compactMap { membership in
      guard membership.isUnified || membership.controllers.contains(controller) else { return nil }
      let candidates = mounts.filter { mount in
        membership.isUnified
          ? mount.type == "cgroup2"
          : mount.type == "cgroup" && mount.options.contains(controller)
      }
      guard let folders = Self.folders(of: membership.path, in: candidates) else { return nil }
      return Chain(isUnified: membership.isUnified, folders: folders)
    }
  }

  private static func folders(of path: String, in mounts: [MountEntry]) -> [String]? {
    let group = path.split(separator: "/")
    // Of several mounts of one tree, the one that shows most above the group.
    let shown = mounts.filter { group.starts(with: $0.root) && !group.contains("..") }
      .min { $0.root.count < $1.root.count }
    // In a container the path may be the host's, and the group itself mounted as the root.
    guard let mount = shown ?? mounts.first else { return nil }
    var rest = shown == nil ? [] : Array(group.dropFirst(mount.root.count))
    var result: [String] = []
    while true {
      result.append(([mount.point] + rest.map(String.init)).joined(separator: "/"))
      if rest.popLast() == nil { return result }
    }
  }
}

/// One line of `/proc/self/cgroup`: `4:memory:/group`, or `0::/group` for version 2.
private struct Membership {
  var controllers: [Substring]
  var path: String

  var isUnified: Bool { controllers.isEmpty }

  init?(line: Substring) {
    let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3 else { return nil }
    controllers = fields[1].split(separator: ",")
    path = String(fields[2])
  }
}

/// One line of `/proc/self/mountinfo`.
private struct MountEntry {
  /// Parts of the path inside the mounted tree that is shown at `point`.
  var root: [Substring]
  var point: String
  var type: Substring
  /// The file system's own, such as controller names.
  var options: [Substring]

  init?(line: Substring) {
    let fields = line.split(separator: " ")
    guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 3 else {
      return nil
    }
    root = Substring(Self.unescaped(fields[3])).split(separator: "/")
    point = Self.unescaped(fields[4])
    type = fields[dash + 1]
    options = fields[dash + 3].split(separator: ",")
  }

  /// The kernel writes space, tab, newline and backslash as `\` and three octal digits.
  private static func unescaped(_ text: Substring) -> String {
    var result: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      let digits = bytes.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        result.append(value)
        bytes = bytes.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
