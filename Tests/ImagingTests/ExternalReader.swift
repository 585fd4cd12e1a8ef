import Glibc

/// ExifTool, which reads what others have written; not everywhere at hand.
enum ExternalReader {
  static let isThere: Bool = {
    let isThere = unsafe access("/usr/bin/exiftool", X_OK) == 0
    if !isThere { print("what ExifTool reads is skipped: there is no /usr/bin/exiftool") }
    return isThere
  }()

  /// Every tag that a file has, by `group:name`, the profile's apart.
  static func tags(_ file: TemporaryFile) -> [String: String] {
    let command =
      "/usr/bin/exiftool -args -G1 -a -n -u -m -x ICC_Profile:all "
      + "/proc/\(getpid())/fd/\(file.descriptor) 2>&1"
    guard let pipe = unsafe popen(command, "r") else { return [:] }
    defer { unsafe pclose(pipe) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&piece, 1, piece.count, pipe)
      if count == 0 { break }
      text += piece[..<count]
    }
    var result: [String: String] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix("-"), let sign = line.firstIndex(of: "=") else { continue }
      let name = String(line[..<sign].dropFirst())
      if result[name] == nil { result[name] = String(line[line.index(after: sign)...]) }
    }
    return result
  }
}
