import Glibc
import Journal
import RenderModel
import SystemSupport

/// Whether the folders of a run are still what their paths lead to.
///
/// Open folders outlive an unmount, a move and a deletion: everything written to them would succeed,
/// and nobody would find it. The run's own folders are looked for, whose names no other run has;
/// numbers of files are not compared, since some file systems give them anew.
struct PlaceWatch: Sendable {
  enum Fault: Error, Equatable {
    case output(String)
    case state(String)
  }

  private let outputPath: [UInt8]
  private let statePath: [UInt8]
  private let stagingPath: [UInt8]
  private let journalPath: [UInt8]

  /// `state`: nil for the folder beneath the output.
  init(output: [UInt8], state: [UInt8]?, run: RunFolder) {
    outputPath = output
    statePath = state ?? output + Array("/\(OutputTemplate.stateFolder)".utf8)
    stagingPath = output + Array("/".utf8) + run.stagingPath
    journalPath = statePath + Array("/runs/".utf8) + run.identifier.bytes
  }

  /// The first folder that is not there any more; nil when both are.
  func fault() -> Fault? {
    if let words = Self.words(journalPath, of: "state", statePath) { return .state(words) }
    return Self.words(stagingPath, of: "output", outputPath).map(Fault.output)
  }

  private static func words(_ path: [UInt8], of name: String, _ root: [UInt8]) -> String? {
    do {
      _ = try Directory(path: path)
      return nil
    } catch {
      let shown = DisplayText.escaped(root)
      let reason =
        error.isNotFound || error.errno == ENOTDIR
        ? "it was unmounted, moved or deleted while the run went on" : error.reason
      return "the \(name) folder \(shown) is not what it was: \(reason)"
    }
  }
}

extension PlaceWatch.Fault: CustomStringConvertible {
  var description: String {
    switch self {
    case .output(let words), .state(let words): words
    }
  }
}
