/// An adjustment as its editor left it: a named, versioned format and its opaque bytes.
package struct AdjustmentRecord: Hashable, Sendable {
  package var formatIdentifier: String
  package var formatVersion: String
  /// Kept byte for byte; for the native format the JSON text of its `data` member.
  package var data: [UInt8]

  package static let nativeIdentifier = "org.minilab.adjustments"

  package init(formatIdentifier: String, formatVersion: String, data: [UInt8]) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }
}
