import Glibc
import Sandbox
import Testing

@Suite("Preparing a policy") struct PolicyTests {
  static let full = SandboxSupport(landlock: .abi(7), seccomp: .available)

  @Test("names the layers that will be in force")
  func layers() throws {
    #expect(
      try Sandbox.prepare(.job, on: Self.full).layers == [
        "no-new-privileges", "no-capabilities", "seccomp", "no-exec-memory", "landlock-abi7",
      ])
    let jit = SandboxPolicy(highestLandlockABI: 2, refusesExecutableMemory: false)
    #expect(
      try Sandbox.prepare(jit, on: Self.full).layers == [
        "no-new-privileges", "no-capabilities", "seccomp", "landlock-abi2",
      ])
  }

  @Test("refuses without Landlock, and says which layer and why")
  func noLandlock() {
    let support = SandboxSupport(landlock: .missing(errno: EOPNOTSUPP), seccomp: .available)
    let error = #expect(throws: SandboxError.self) { try Sandbox.prepare(.job, on: support) }
    #expect(error?.code == .layerUnavailable(.landlock))
    #expect(error?.layer == .landlock)
    #expect(
      error?.description
        == "sandbox layer landlock is not available: it is switched off at boot (see lsm= on the kernel's command line)"
    )
  }

  @Test("refuses without seccomp, and says which layer and why")
  func noFilter() {
    let support = SandboxSupport(landlock: .abi(7), seccomp: .missing(errno: ENOSYS))
    let error = #expect(throws: SandboxError.self) { try Sandbox.prepare(.job, on: support) }
    #expect(error == SandboxError(.layerUnavailable(.seccomp), errno: ENOSYS))
    #expect(error?.description.contains("seccomp") == true)
  }

  @Test("refuses on a processor without a call list")
  func otherMachine() {
    let support = SandboxSupport(landlock: .abi(7), seccomp: .unsupportedMachine)
    let error = #expect(throws: SandboxError.self) { try Sandbox.prepare(.job, on: support) }
    #expect(error?.code == .unsupportedMachine)
  }

  @Test("with best effort goes on without, and doesn't claim what is missing")
  func bestEffort() throws {
    let bare = SandboxSupport(
      landlock: .missing(errno: ENOSYS), seccomp: .missing(errno: EPERM))
    let prepared = try Sandbox.prepare(.bestEffort, on: bare)
    #expect(prepared.layers == ["no-new-privileges", "no-capabilities"])
    #expect(prepared.filter == nil)
    #expect(prepared.landlockABI == nil)
    let noFilter = SandboxSupport(landlock: .abi(3), seccomp: .unsupportedMachine)
    #expect(try Sandbox.prepare(.bestEffort, on: noFilter).layers.last == "landlock-abi3")
  }

  @Test(
    "never asks a kernel for rights that its Landlock doesn't know",
    arguments: [
      (1, 0x1fff, 0, 0), (2, 0x3fff, 0, 0), (3, 0x7fff, 0, 0), (4, 0x7fff, 3, 0),
      (5, 0xffff, 3, 0), (6, 0xffff, 3, 3), (7, 0xffff, 3, 3), (8, 0xffff, 3, 3),
    ] as [(Int, UInt64, UInt64, UInt64)])
  func rights(abi: Int, files: UInt64, network: UInt64, scopes: UInt64) {
    let rights = LandlockRights(abi: abi)
    #expect(rights.files == files)
    #expect(rights.network == network)
    #expect(rights.scopes == scopes)
  }

  @Test("uses a kernel that is newer than our list as the newest on it")
  func newerKernel() {
    let support = SandboxSupport(landlock: .abi(40), seccomp: .available)
    #expect(support.landlockABI(limit: nil) == 8)
    #expect(support.landlockABI(limit: 2) == 2)
    #expect(support.landlockABI(limit: 0) == nil)
  }

  @Test("what the kernel offers reads as a line for each layer")
  func supportLines() {
    let lines = SandboxSupport(landlock: .abi(7), seccomp: .missing(errno: EPERM)).lines
    #expect(lines.map(\.layer) == [.landlock, .seccomp])
    #expect(lines.map(\.isAvailable) == [true, false])
    #expect(lines.map(\.text) == ["ABI 7", "the container or its manager forbids it"])
  }

  @Test(
    "every error says what is wrong and whose it is",
    arguments: [
      (
        SandboxError(.layerRefused(.seccomp), errno: EPERM),
        "sandbox layer seccomp was refused: the container or its manager forbids it", .seccomp
      ),
      (
        SandboxError(.layerUnavailable(.landlock), errno: 77),
        "sandbox layer landlock is not available: error 77", .landlock
      ),
      (
        SandboxError(.severalThreads),
        "the process has several threads and would be sealed only in part", nil
      ),
      (
        SandboxError(.unsupportedMachine),
        "sandbox layer seccomp is not available: no call list for this processor", .seccomp
      ),
      (
        SandboxError(.filterTooLong),
        "sandbox layer seccomp is not available: the filter is longer than the kernel takes",
        .seccomp
      ),
    ] as [(SandboxError, String, SandboxLayer?)])
  func errorTexts(error: SandboxError, text: String, layer: SandboxLayer?) {
    #expect(error.description == text)
    #expect(error.layer == layer)
  }
}
