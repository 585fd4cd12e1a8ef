import JSONText
import RenderModel

/// The ids and output names that are taken, and by which job.
struct JobRegister {
  /// What a later job has in common with an earlier one.
  enum Clash: Equatable {
    case id(with: UInt32)
    case output(RelativePath, of: String, with: UInt32)
    /// Two outputs of one job.
    case own(RelativePath, String, String)
    /// The output would replace an original.
    case original(RelativePath, of: String)
  }

  private var ids = OrdinalIndex()
  private var outputs = OrdinalIndex()
  /// Only where outputs and originals are in one folder.
  private var originals = OrdinalIndex()
  private let namer: JobNamer
  private let sharesFolder: Bool

  init(_ namer: JobNamer, sharesFolder: Bool) {
    self.namer = namer
    self.sharesFolder = sharesFolder
  }

  mutating func insertID(
    of job: Job, number: UInt32, earlier: (UInt32) throws -> Job?
  ) throws -> Clash? {
    let other = try ids.insert(hash: Self.hash(job.id), number: number) { candidate in
      try earlier(candidate)?.id == job.id
    }
    return other.map { .id(with: $0) }
  }

  /// Adds the names that are known before the pictures are opened; a clash adds nothing more.
  mutating func insertOutputs(
    _ names: [JobNamer.Name], of job: Job, number: UInt32, earlier: (UInt32) throws -> Job?
  ) throws -> [Clash] {
    var clashes: [Clash] = []
    let namer = namer
    for (index, name) in names.enumerated() {
      if let own = names[..<index].first(where: { $0.key == name.key }) {
        clashes.append(.own(name.path, own.owner, name.owner))
        continue
      }
      let other = try outputs.insert(hash: Self.hash(name.key), number: number) { candidate in
        guard candidate != number, let other = try earlier(candidate) else { return false }
        return namer.names(of: other).usable.contains { $0.key == name.key }
      }
      if let other { clashes.append(.output(name.path, of: name.owner, with: other)) }
    }
    if sharesFolder {
      clashes += try originalClashes(of: job, names, number: number, earlier: earlier)
    }
    return clashes
  }

  /// Output names that are assets' names, whichever of the two stands first in the manifest.
  private mutating func originalClashes(
    of job: Job, _ names: [JobNamer.Name], number: UInt32, earlier: (UInt32) throws -> Job?
  ) throws -> [Clash] {
    var clashes: [Clash] = []
    let namer = namer
    let own = namer.key(job.asset)
    _ = try originals.insert(hash: Self.hash(own), number: number) { candidate in
      guard let other = try earlier(candidate) else { return false }
      return namer.key(other.asset) == own
    }
    for name in names {
      let original = try originals.find(hash: Self.hash(name.key)) { candidate in
        if candidate == number { return own == name.key }
        guard let other = try earlier(candidate) else { return false }
        return namer.key(other.asset) == name.key
      }
      if original != nil { clashes.append(.original(name.path, of: name.owner)) }
    }
    let replaced = try outputs.find(hash: Self.hash(own)) { candidate in
      guard candidate != number, let other = try earlier(candidate) else { return false }
      return namer.names(of: other).usable.contains { $0.key == own }
    }
    if replaced != nil { clashes.append(.original(job.asset, of: "an earlier job")) }
    return clashes
  }

  private static func hash(_ value: some Hashable) -> UInt32 {
    UInt32(truncatingIfNeeded: value.hashValue)
  }
}
