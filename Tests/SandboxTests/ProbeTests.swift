import Glibc
import Sandbox
import Testing

/// Whether the kernel under the tests offers all layers.
let isSupported = (try? Sandbox.prepare(.job)) != nil
let isRoot = geteuid() == 0

@Suite("The probe", .enabled(if: isSupported, "this kernel lacks a sandbox layer"), .serialized)
struct ProbeTests {
  @Test(
    "is refused everything in a job's process, also at older Landlock ABIs",
    arguments: [nil, 1, 2] as [Int?])
  func everythingIsRefused(abi: Int?) throws {
    let sandbox = try Sandbox.prepare(SandboxPolicy(highestLandlockABI: abi))
    let results = SandboxProbe.run(in: sandbox)
    #expect(results.count == ProbeAttempt.allCases.count)
    for result in results {
      #expect(result.refused, "\(result.name): \(result.observed), not \(result.expected)")
    }
  }

  @Test(
    "is refused everything as an ordinary user", .enabled(if: isRoot, "needs root to become one"))
  func ordinaryUser() throws {
    let sandbox = try Sandbox.prepare(.job)
    for result in SandboxProbe.run(in: sandbox, asUser: 65534) {
      #expect(result.refused, "\(result.name): \(result.observed), not \(result.expected)")
    }
  }

  @Test("sees no refusal of ours without a sandbox")
  func control() {
    // Without the capability for it, which containers often lack, the kernel itself refuses this one.
    let attempts = ProbeAttempt.allCases.filter { $0 != .raiseHardLimit }
    for result in SandboxProbe.run(attempts, in: nil) {
      #expect(!result.refused, "\(result.name) would be refused in any case")
    }
  }

  @Test(
    "succeeds without a sandbox in what an ordinary process may do",
    arguments: [
      .readFile, .createFile, .openDirectory, .openOwnMemory, .statPath, .extendedStat,
      .unlinkFile, .makeDirectory, .renameFile, .symlinkFile, .truncateFile, .changeDirectory,
      .tcpListen, .udpSend, .socketPair, .signalParentZero, .signalParent, .signalStranger,
      .signalThreadOfStranger, .fork, .vfork, .cloneProcess, .execute, .memoryFile,
      .mapExecutable, .protectExecutable, .setDumpable, .clearDeathSignal, .limitStranger,
      .scheduleStranger,
    ] as [ProbeAttempt])
  func controlSucceeds(attempt: ProbeAttempt) throws {
    let result = try #require(SandboxProbe.run([attempt], in: nil).first)
    #expect(result.observed == .succeeded)
  }

  @Test(
    "under Landlock alone meets what each ABI brought",
    arguments: [
      (1, [.readFile, .createFile, .openDirectory, .unlinkFile, .makeDirectory, .execute]),
      (2, [.renameFile, .symlinkFile]), (3, [.truncateFile]), (4, [.tcpConnect, .tcpListen]),
      (6, [.signalParentZero, .signalParent, .signalStranger]),
    ] as [(Int, [ProbeAttempt])])
  func landlockAlone(abi: Int, attempts: [ProbeAttempt]) throws {
    guard case .abi(let running) = SandboxSupport.probe().landlock, running >= abi else { return }
    let sealed = try Sandbox.prepare(SandboxPolicy(seccomp: .off, highestLandlockABI: abi))
    for result in SandboxProbe.run(attempts, in: sealed) {
      let isRefused = [.refused(errno: EACCES), .refused(errno: EPERM)].contains(result.observed)
      #expect(isRefused, "\(result.name): \(result.observed)")
    }
    guard abi >= 3 else { return }
    let before = try Sandbox.prepare(SandboxPolicy(seccomp: .off, highestLandlockABI: abi - 1))
    for result in SandboxProbe.run(attempts, in: before) {
      let reaches = [.succeeded, .refused(errno: ECONNREFUSED)].contains(result.observed)
      #expect(reaches, "\(result.name): \(result.observed)")
    }
  }

  @Test("knows its attempts by name")
  func names() {
    #expect(SandboxProbe.attempt("noSuchAttempt") == nil)
    let child = ForkedChild { SandboxProbe.attempt("readFile") ?? 99 }
    #expect(child.wait() == .exited(0))
  }
}
