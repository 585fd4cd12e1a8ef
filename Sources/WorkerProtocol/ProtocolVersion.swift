/// The version that both programs must have; they come from one package, so it need not be lenient.
package enum ProtocolVersion {
  package static let current: UInt32 = 1
  /// The largest message, in bytes; below the default send buffer of a socket pair.
  package static let maximumMessageBytes = 65_536
  /// Descriptors that one message may carry.
  package static let maximumDescriptors = 64
}
