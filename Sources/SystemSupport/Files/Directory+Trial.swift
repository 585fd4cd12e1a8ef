import CSystem
import Glibc

extension Directory {
  /// Why no file can be written here; nil when one can, or when the file system cannot be asked.
  ///
  /// For libraries that keep the kernel's answer to themselves. The file never has a name, so that
  /// nothing is left of it whenever the process dies.
  package func writingRefusal() -> SystemError? {
    do throws(SystemError) {
      let file = try openBeneath(Array(".".utf8), flags: minilab_o_tmpfile | O_RDWR)
      try FileTransfer.writeAll(file, [UInt8](repeating: 1, count: 65_536))
      try FileTransfer.synchronize(file)
      return nil
    } catch {
      return [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.errno) ? nil : error
    }
  }
}
