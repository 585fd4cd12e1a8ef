/// The version that both programs must have; they come from one package, so it need not be lenient.
package enum ProtocolVersion {
  package static let current: UInt32 = 4
  /// The largest message, in bytes; below the default send buffer of a socket pair.
  package static let maximumMessageBytes = 65_536
  /// Files of the filters and outputs that one job may have together.
  package static let maximumFiles = 64
  /// Descriptors that one message may carry: job socket, original and standard error, the files, and
  /// the existing outputs where only metadata are refreshed.
  package static let maximumDescriptors = 3 + 2 * maximumFiles
}
