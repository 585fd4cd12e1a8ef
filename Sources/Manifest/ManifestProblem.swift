import RenderModel

/// One thing that is wrong in a manifest, with its place and what would be right.
package struct ManifestProblem: Sendable, Equatable {
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in characters.
  package var column: Int
  /// The way to the value: `jobs[3].renditions[0].quality`, without `jobs[3].` in JSON Lines.
  ///
  /// Empty for what concerns the whole text or line.
  package var field: String
  package var message: String

  package init(file: String, line: Int, column: Int, field: String, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.field = field
    self.message = message
  }
}

extension ManifestProblem: CustomStringConvertible {
  /// `file:line:column: field: message`, safe to show on a terminal.
  package var description: String {
    let place = "\(DisplayText.escaped(file)):\(line):\(column): "
    let about = field.isEmpty ? "" : DisplayText.escaped(field) + ": "
    return place + about + DisplayText.escaped(message)
  }
}

/// Why a manifest cannot be read at all; what is wrong inside one is a `ManifestProblem`.
package enum ManifestError: Error, Sendable, Equatable {
  /// The system's words say why.
  case unreadable(path: String, reason: String)
  /// A single JSON object is held in memory and must not be larger.
  case tooLarge(path: String, limit: Int)
  /// It was written to while it was being read.
  case changed(path: String)
  /// More than can be numbered.
  case tooManyJobs(path: String)
  /// Somebody wants it to end before it was read.
  case stopped(path: String)
}

extension ManifestError: CustomStringConvertible {
  /// One sentence for a person, safe to show on a terminal.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(DisplayText.escaped(path)): cannot be read: \(DisplayText.escaped(reason))"
    case .tooLarge(let path, let limit):
      "\(DisplayText.escaped(path)): is larger than \(limit) bytes; "
        + "write large manifests as JSON Lines, one job a line"
    case .changed(let path):
      "\(DisplayText.escaped(path)): was changed while it was being read"
    case .tooManyJobs(let path):
      "\(DisplayText.escaped(path)): has more than \(UInt32.max - 1) jobs; split it"
    case .stopped(let path):
      "stopped while \(DisplayText.escaped(path)) was checked; nothing was started"
    }
  }
}
