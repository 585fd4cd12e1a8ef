import Glibc
import JSONText
import RenderModel
import SystemSupport
import Testing
import WorkerPool
import WorkerProtocol

/// What a sealed job process tries and must not be able to do, through the real pool.
@Suite("Probe")
struct ProbeTests {
  /// Names of all attempts that the worker knows, from its own description.
  private static func attempts() throws -> [String] {
    try described(BuiltPrograms.worker, ["--describe"]).map(\.name)
  }

  private static func described(_ program: String, _ arguments: [String]) throws
    -> [(name: String, refused: Bool, observed: String)]
  {
    let end = try RunningProgram(program, arguments).wait()
    try #require(end.exitStatus == 0, "\(end.errorText)")
    let page = try JSONValue(text: end.output)
    return (page["probes"]?.array ?? []).map {
      ($0["name"]?.string ?? "", $0["refused"]?.bool == true, $0["observed"]?.string ?? "")
    }
  }

  @Test("through the pool every attempt is refused or ends the process", arguments: [nil, 1, 2])
  func pool(abi: Int?) throws {
    let attempts = try Self.attempts()
    #expect(attempts.count >= 40)
    for name in ["readFile", "tcpConnect", "udpSend", "fork", "execute", "trace", "signalParent"] {
      #expect(attempts.contains(name))
    }
    var harness = PoolHarness()
    harness.arguments = ["--zygote"] + (abi.map { ["--landlock-abi", "\($0)"] } ?? [])
    let jobs = attempts.indices.map {
      PoolJob(token: UInt64($0), purpose: .probe(attempts[$0]))
    }
    let result = try harness.run(jobs, original: try Drawing.jpegFile())
    #expect(result.end == .completed)
    for (index, name) in attempts.enumerated() {
      let outcome = try #require(result.outcomes[UInt64(index)])
      switch outcome.verdict {
      case .probed(let refused, let observed): #expect(refused, "\(name): \(observed)")
      case .failed(let failure): #expect(failure.code == .policyViolation, "\(name): \(failure)")
      default: Issue.record("\(name): \(outcome.verdict)")
      }
    }
  }

  @Test("aimed at real targets every attempt is refused in its own way", arguments: [nil, 1, 2])
  func described(abi: Int?) throws {
    let arguments = ["--describe"] + (abi.map { ["--landlock-abi", "\($0)"] } ?? [])
    for probe in try Self.described(BuiltPrograms.worker, arguments) {
      #expect(probe.refused, "\(probe.name): \(probe.observed)")
    }
  }

  @Test(
    "an ordinary user's process is held as well as root's", .enabled(if: getuid() == 0),
    arguments: [nil, 1, 2])
  func ordinaryUser(abi: Int?) throws {
    guard let setpriv = SystemProgram.find("setpriv") else {
      print("skipped: setpriv is not installed")
      return
    }
    let arguments =
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", BuiltPrograms.worker,
        "--describe",
      ]
      + (abi.map { ["--landlock-abi", "\($0)"] } ?? [])
    let probes = try Self.described(setpriv, arguments)
    #expect(probes.count >= 40)
    for probe in probes { #expect(probe.refused, "\(probe.name): \(probe.observed)") }
  }
}
