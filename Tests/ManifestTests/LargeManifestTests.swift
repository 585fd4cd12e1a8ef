import Glibc
import Manifest
import SystemSupport
import Testing

/// Set `MINILAB_LARGE_MANIFEST` to a number of jobs for the full measurement; a small one runs always.
@Suite("Large manifests", .serialized)
struct LargeManifestTests {
  private static let count =
    unsafe getenv("MINILAB_LARGE_MANIFEST").flatMap { unsafe Int(String(cString: $0)) } ?? 20_000

  enum Kind: String, CaseIterable, Sendable {
    case short, records
  }

  @Test(
    "every line of a large manifest is checked in bounded time and memory", arguments: Kind.allCases
  )
  func large(kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = try write(kind, to: folder)
    let source = try ManifestSource(path: path)
    var digested = 0
    let clock = ContinuousClock()
    var result = ManifestCheck()
    let processor = Self.processorSeconds()
    let memory = Self.residentBytes()
    let time = try clock.measure { result = try source.check { digested += $0.count } }
    let grown = Self.residentBytes() - memory
    let seconds = Self.processorSeconds() - processor
    var given = 0
    let second = try clock.measure {
      try source.jobs { _ in
        given += 1
        return true
      }
    }
    print(
      "\(kind) x \(Self.count): check \(time), \(seconds) s CPU, resident +\(grown >> 20) MB, "
        + "peak \(Self.peakBytes() >> 20) MB; jobs \(second)")
    #expect(
      result.problems.map(\.description) == [
        "\(path):\(Self.count / 2 + 2):\(kind == .short ? 10 : 11): asset: the id \"2024/000005.jpg\" is taken by "
          + "the job in line 7; each job needs an id of its own"
      ])
    #expect(result.jobCount == Self.count)
    #expect(given == Self.count + 1)
    #expect(digested == source.length)
    #expect(seconds < 15 * Double(max(Self.count, 100_000)) / 1_000_000)
    #expect(grown < 200 << 20)
  }

  private func write(_ kind: Kind, to folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/large.jsonl"
    let file = try OwnedDescriptor.open(path: path, flags: O_WRONLY | O_CREAT, mode: 0o644)
    var text = Array(
      #"{"minilab":1,"defaults":{"renditions":[{"name":"full"},{"name":"preview","targetSize":[2048,2048]}]}}"#
        .utf8)
    for index in 0..<Self.count {
      text += line(kind, index)
      if index == Self.count / 2 - 1 { text += line(kind, 5) }
      if text.count > 1 << 20 {
        try FileTransfer.writeAll(file, text)
        text = []
      }
    }
    try FileTransfer.writeAll(file, text)
    return path
  }

  private func line(_ kind: Kind, _ index: Int) -> [UInt8] {
    let number = String(index)
    let padded = String(repeating: "0", count: max(0, 6 - number.count)) + number
    switch kind {
    case .short: return Array("\n{\"asset\":\"2024/\(padded).jpg\"}".utf8)
    case .records:
      return Array(
        ("\n{\"asset\": \"2024/\(padded).jpg\", \"adjustment\": {\"formatIdentifier\": "
          + "\"org.minilab.adjustments\", \"formatVersion\": \"1.0\", \"data\": {\"filters\": "
          + "[{\"filter\": \"exposure\", \"ev\": 0.4}, {\"filter\": \"toneCurve\", \"points\": "
          + "[[0,0],[0.5,0.56],[1,1]]}]}}}").utf8)
    }
  }

  /// Of this thread alone: other tests run beside it.
  private static func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func peakBytes() -> Int {
    var usage = rusage()
    unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }

  private static func residentBytes() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    unsafe fgets(&line, 128, file)
    let fields = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    )
    .split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4096
  }
}
