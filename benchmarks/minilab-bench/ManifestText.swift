import Glibc
import SystemSupport

/// Manifests in JSON Lines, written piece by piece.
enum ManifestText {
  static let name = "jobs.jsonl"

  /// One job for each pair of an id and an asset; its render is named after the id.
  static func write(
    _ folder: Directory, library: String, rendition: String,
    lines: some Sequence<(id: String, asset: String)>
  ) throws {
    let file = try folder.openBeneath(
      Array(name.utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
    var text =
      #"{"minilab": 1, "library": "\#(library)", "defaults": {"adjustment": "none", "#
      + #""renditions": [\#(rendition)], "output": "{job}.{extension}"}}"# + "\n"
    for line in lines {
      text += #"{"id": "\#(line.id)", "asset": "\#(line.asset)"}"# + "\n"
      if text.utf8.count > 1 << 16 {
        try FileTransfer.writeAll(file, Array(text.utf8))
        text = ""
      }
    }
    try FileTransfer.writeAll(file, Array(text.utf8))
  }
}
