/// The rights that a Landlock ABI can withhold; all of them are withheld.
///
/// Named with the ABI that brought them, so that an older kernel is never asked for what it doesn't
/// know. Debian 12's header ends at ABI 2.
package struct LandlockRights: Sendable, Equatable {
  /// The newest ABI whose rights are listed here. A newer kernel is used as this one.
  package static let newestKnownABI = 8

  package var files: UInt64
  package var network: UInt64
  package var scopes: UInt64

  package init(abi: Int) {
    // ABI 1: execute, write, read, read directory, remove and make entries of each kind.
    files = abi >= 1 ? 0x1fff : 0
    // ABI 2: refer. ABI 3: truncate. ABI 5: ioctl on devices.
    if abi >= 2 { files |= 1 << 13 }
    if abi >= 3 { files |= 1 << 14 }
    if abi >= 5 { files |= 1 << 15 }
    // ABI 4: TCP bind and connect.
    network = abi >= 4 ? 0b11 : 0
    // ABI 6: abstract Unix sockets and signals outside of the domain.
    scopes = abi >= 6 ? 0b11 : 0
  }
}
