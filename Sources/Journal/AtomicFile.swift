import Glibc
package import SystemSupport

/// Files that are there whole or not at all, also after power loss.
package enum AtomicFile {
  private static let temporarySuffix = Array(".tmp".utf8)

  /// Puts bytes under a name of the directory, replacing what has it; the mode follows the umask.
  package static func write(
    _ directory: Directory, _ name: [UInt8], _ bytes: [UInt8]
  ) throws(SystemError) {
    let temporary =
      [UInt8(ascii: ".")] + name + Array(".\(RandomBytes.hex(8))".utf8)
      + temporarySuffix
    do throws(SystemError) {
      let file = try directory.openBeneath(
        temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
      try FileTransfer.writeAll(file, bytes)
      try FileTransfer.synchronize(file)
      try directory.rename(temporary, to: directory, name)
      try directory.synchronize()
    } catch {
      try? directory.remove(temporary)
      throw error
    }
  }

  /// Whether a name is of a file that `write` had not finished.
  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") && name.suffix(4).elementsEqual(temporarySuffix)
  }
}
