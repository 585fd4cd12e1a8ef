import Glibc

/// A folder of files that are not part of the project, where it lies beside the checkout.
struct SharedFolder: Sendable {
  /// nil when it is not there, which is said aloud.
  let path: String?

  /// `holding`: what must be in it as well; `subject`: what a suite over it is about, in words.
  init(_ name: String, holding part: String = "", of subject: String) {
    let root: String
    if let given = unsafe getenv("MINILAB_SHARED") {
      root = unsafe String(cString: given)
    } else {
      let beside = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
      root = "/\(beside)/shared"
    }
    let folder = "\(root)/\(name)"
    let isThere = unsafe access("\(folder)/\(part)", R_OK) == 0
    path = isThere ? folder : nil
    if !isThere { print("the suite over \(subject) is skipped: there is no \(folder)/\(part)") }
  }

  func file(_ name: String) throws -> TemporaryFile {
    let descriptor = unsafe open((path ?? "") + "/" + name, O_RDONLY)
    defer { close(descriptor) }
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    guard unsafe pread(descriptor, &bytes, bytes.count, 0) == count else {
      throw TemporaryFile.Failure(errno: errno)
    }
    return try TemporaryFile(bytes)
  }
}
