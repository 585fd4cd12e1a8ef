import Journal
import RenderModel
import SystemSupport

/// Which output folder a state folder of its own belongs to.
///
/// What is recorded of one output folder says nothing about another: with two taking turns on one
/// state folder, each would find that nothing of what it wants is there.
struct StateOwner {
  let state: Directory
  let output: Directory

  private static let fileName = Array("output".utf8)
  private static let longestPath = 1 << 16

  /// Throws when the state folder belongs to another output folder that is still there.
  func check() throws {
    guard let path = try recorded(), let other = try? Directory(path: path),
      let theirs = try? FileStatus(of: other.descriptor)
    else { return }
    let ours = try FileStatus(of: output.descriptor)
    if theirs.inode == ours.inode, theirs.device == ours.device { return }
    throw RunPlaces.Refusal.held(
      "the state folder belongs to the output folder \(DisplayText.escaped(path)); give each output "
        + "folder a state folder of its own (--state)")
  }

  /// Takes the state folder for the output folder, which was checked before.
  func record() throws {
    let path = try output.realPath()
    if try recorded() != path { try AtomicFile.write(state, Self.fileName, path) }
  }

  private func recorded() throws -> [UInt8]? {
    guard try state.status(Self.fileName) != nil else { return nil }
    return try FileTransfer.readAll(
      try state.openBeneath(Self.fileName, flags: FileFlags.readNonBlocking),
      limit: Self.longestPath)
  }
}
