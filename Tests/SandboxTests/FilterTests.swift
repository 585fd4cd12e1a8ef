import Glibc
import Sandbox
import Testing

/// AUDIT_ARCH_X86_64.
private let x86Architecture: UInt32 = 0xC000_003E

@Suite(
  "The compiled filter",
  .enabled(if: Machine.architecture == x86Architecture, "the numbers here are x86-64's"))
struct FilterTests {
  static let allow: UInt32 = 0x7fff_0000
  static let kill: UInt32 = 0x8000_0000
  static let process: UInt32 = 4711

  static func filter(_ policy: SandboxPolicy = .job) -> FilterInterpreter {
    let program = FilterCompiler.compile(policy, architecture: x86Architecture)
    return FilterInterpreter(program, process: process)
  }

  static func run(_ call: SystemCall, _ arguments: [UInt64], _ policy: SandboxPolicy = .job)
    throws -> UInt32?
  {
    let number = try #require(call.number)
    let padded = arguments + Array(repeating: 0, count: 6 - arguments.count)
    return filter(policy).run(number: number, architecture: x86Architecture, arguments: padded)
  }

  static func errno(_ errno: Int32) -> UInt32 { 0x0005_0000 + UInt32(errno) }

  @Test(
    "answers every call number as the policy's table does",
    arguments: [
      SandboxPolicy.job, SandboxPolicy(onViolation: .trap),
      SandboxPolicy(refusesExecutableMemory: false),
    ])
  func exhaustive(policy: SandboxPolicy) {
    let filter = Self.filter(policy)
    let table = PolicyTable(policy)
    let process = UInt64(Self.process)
    let words: [UInt64] = [
      0, 1, 2, 4, 7, 9, 15, 16, 39, process, process | 1 << 32, 0x3d0f00, 0x3d0f00 | 1 << 40, 1030,
      0xffff_ffff, .max,
    ]
    var cases = words.map { Array(repeating: $0, count: 6) }
    for position in 0..<6 {
      for word in words {
        var arguments: [UInt64] = Array(repeating: 0, count: 6)
        arguments[position] = word
        cases.append(arguments)
      }
    }
    for number: UInt32 in Array(0...500) + [1 << 20, .max] {
      for arguments in cases {
        let observed = filter.run(
          number: number, architecture: x86Architecture, arguments: arguments)
        let expected = table.answer(
          number: number, arguments: arguments, process: Self.process)
        // #expect in so many turns would take longer than all the rest.
        if observed != expected { Issue.record("call \(number) with \(arguments)") }
      }
    }
  }

  @Test("lets no call of another machine pass, in trap mode neither")
  func foreignArchitecture() {
    let other: UInt32 = 0x4000_0003
    for policy in [SandboxPolicy.job, SandboxPolicy(onViolation: .trap)] {
      let filter = Self.filter(policy)
      for number: UInt32 in 0...500 {
        #expect(filter.run(number: number, architecture: other) == Self.kill)
      }
    }
  }

  @Test("lets no x32 call pass")
  func x32() {
    let filter = Self.filter()
    for number: UInt32 in 0...600 {
      #expect(filter.run(number: number | 1 << 30, architecture: x86Architecture) == Self.kill)
    }
  }

  @Test("is short enough for the kernel, and every path through it ends")
  func length() {
    let program = FilterCompiler.compile(.job, architecture: x86Architecture)
    #expect(program.instructions.count <= 4096)
    for (index, instruction) in program.instructions.enumerated() {
      switch instruction.code {
      case 0x05: #expect(index + 1 + Int(instruction.k) < program.instructions.count)
      case 0x15, 0x35:
        #expect(index + 1 + Int(instruction.jumpTrue) < program.instructions.count)
        #expect(index + 1 + Int(instruction.jumpFalse) < program.instructions.count)
      default: break
      }
    }
    #expect(program.instructions.last?.code == 0x06)
  }

  // The cases below don't read the policy's table: they say what must be.

  @Test(
    "ends the process for",
    arguments: [
      "execve", "execveat", "fork", "vfork", "kill", "tkill", "ptrace", "process_vm_readv",
      "process_vm_writev", "memfd_create", "memfd_secret", "io_uring_setup", "io_uring_enter",
      "connect", "bind", "listen", "accept", "socketpair", "setns", "unshare", "mount", "bpf",
      "pkey_mprotect", "fchmod", "fchown", "utimensat", "fsetxattr", "truncate", "rename",
      "renameat2", "linkat", "symlinkat", "pidfd_open", "pidfd_send_signal", "pidfd_getfd",
      "shmat", "setuid", "setresuid", "seccomp", "personality", "setrlimit", "arch_prctl",
      "open_by_handle_at", "perf_event_open", "keyctl", "userfaultfd", "copy_file_range",
    ] as [SystemCall])
  func violations(call: SystemCall) throws {
    #expect(try Self.run(call, []) == Self.kill)
  }

  @Test("lets GLib seed its random numbers without a device")
  func randomSeed() throws {
    for call: SystemCall in ["gettimeofday", "clock_gettime", "getpid", "getppid", "getrandom"] {
      #expect(try Self.run(call, []) == Self.allow)
    }
  }

  @Test("gives the C library an errno it knows")
  func softRefusals() throws {
    #expect(try Self.run("newfstatat", [0, 0, 0, 0x1000]) == Self.errno(EACCES))
    #expect(try Self.run("clone3", []) == Self.errno(ENOSYS))
    #expect(try Self.run("openat", []) == Self.errno(EACCES))
    #expect(try Self.run("socket", [2, 1]) == Self.errno(EACCES))
    #expect(try Self.run("ioctl", [0, 0x5401]) == Self.errno(ENOTTY))
    #expect(try Self.run("fstatfs", [3, 0]) == Self.errno(EPERM))
  }

  @Test("lets a process empty an output that it was given")
  func emptyOutput() throws {
    #expect(try Self.run("ftruncate", [3, 0]) == Self.allow)
  }

  @Test(
    "lets clone make threads and nothing else",
    arguments: [
      (0x3d0f00, true),  // pthread_create of glibc
      (0x7d0f00, true),  // pthread_create of musl
      (0x0120_0011, false),  // fork of glibc
      (0x11, false), (0x4111, false),  // SIGCHLD; vfork
      (0x3d0f00 | 0x1000_0000, false), (0x3d0f00 | 0x0002_0000, false),  // new user, new mount
      (0x3d0f00 | 0x4000_0000, false),  // new network
      (0x3d0f00 | 0x11, false), (0x3d0f00 | 0x2000, false),  // exit signal; traced
      (0x3d0f00 & ~0x10000, false), (0x3d0f00 & ~0x100, false), (0, false),
    ] as [(UInt64, Bool)])
  func threads(flags: UInt64, passes: Bool) throws {
    #expect(try Self.run("clone", [flags]) == (passes ? Self.allow : Self.kill))
  }

  @Test(
    "refuses executable memory only where the policy says so",
    arguments: ["mmap", "mprotect"] as [SystemCall])
  func executable(call: SystemCall) throws {
    let jit = SandboxPolicy(refusesExecutableMemory: false)
    for protection: UInt64 in 0...7 {
      let isExecutable = protection & 4 != 0
      #expect(
        try Self.run(call, [0, 4096, protection])
          == (isExecutable ? Self.errno(EACCES) : Self.allow))
      #expect(try Self.run(call, [0, 4096, protection], jit) == Self.allow)
    }
  }

  @Test("lets a thread be signalled only in the own process")
  func ownThreads() throws {
    let own = UInt64(Self.process)
    #expect(try Self.run("tgkill", [own, 99, 6]) == Self.allow)
    #expect(try Self.run("tgkill", [own + 1, 99, 6]) == Self.kill)
    #expect(try Self.run("tgkill", [1, 1, 15]) == Self.kill)
    #expect(try Self.run("tgkill", [0, 99, 6]) == Self.kill)
    #expect(try Self.run("tgkill", [0xffff_ffff_ffff_ffff, 99, 6]) == Self.kill)
  }

  @Test("lets it move its own address space limit and read the others")
  func limits() throws {
    let refused = Self.errno(EPERM)
    #expect(try Self.run("prlimit64", [0, 9, 0x7fff_0000_1000, 0]) == Self.allow)
    #expect(try Self.run("prlimit64", [0, 3, 0, 0x1000]) == Self.allow)
    for resource: UInt64 in 0...15 where resource != 9 {
      #expect(try Self.run("prlimit64", [0, resource, 0x1_0000_0000, 0]) == refused)
      #expect(try Self.run("prlimit64", [0, resource, 8, 0]) == refused)
    }
    #expect(try Self.run("prlimit64", [1, 9, 0x1000, 0]) == refused)
    #expect(try Self.run("prlimit64", [1, 9, 0, 0x1000]) == refused)
  }

  @Test("lets sendto send on the own socket, not to an address")
  func addresses() throws {
    #expect(try Self.run("sendto", [3, 0x1000, 1, 0, 0, 0]) == Self.allow)
    #expect(try Self.run("sendto", [3, 0x1000, 1, 0, 0x2000, 16]) == Self.errno(EPERM))
    #expect(try Self.run("sendto", [3, 0x1000, 1, 0, 1 << 32, 16]) == Self.errno(EPERM))
  }

  @Test(
    "lets fcntl copy and flag descriptors, not own, lock or lease them",
    arguments: [
      (0, true), (1, true), (2, true), (3, true), (4, true), (1030, true), (1034, true),
      (6, false), (8, false), (10, false), (15, false), (1024, false), (1031, false),
      (1033, false), (1036, false),
    ] as [(UInt64, Bool)])
  func descriptorControl(command: UInt64, passes: Bool) throws {
    #expect(try Self.run("fcntl", [3, command]) == (passes ? Self.allow : Self.errno(EPERM)))
  }

  @Test(
    "lets prctl name threads, not undo the parent's hold",
    arguments: [
      (15, true), (16, true), (3, true), (39, true), (1, false), (4, false), (8, false),
      (22, false), (38, false), (0x53564d41, false), (0x59616d61, false),
    ] as [(UInt64, Bool)])
  func processControl(option: UInt64, passes: Bool) throws {
    #expect(try Self.run("prctl", [option]) == (passes ? Self.allow : Self.errno(EPERM)))
  }

  @Test("names in the policy's table exist on x86-64")
  func names() {
    for call in SandboxPolicy.job.calls.keys { #expect(call.number != nil, "\(call.name)") }
  }

  @Test("call names and numbers are the kernel's")
  func numbers() {
    // From the kernel's own table for x86-64.
    let table: [(SystemCall, UInt32)] = [
      ("read", 0), ("mmap", 9), ("clone", 56), ("execve", 59), ("ptrace", 101), ("tgkill", 234),
      ("newfstatat", 262), ("prlimit64", 302), ("seccomp", 317), ("rseq", 334), ("clone3", 435),
      ("openat2", 437), ("faccessat2", 439), ("landlock_restrict_self", 446),
    ]
    for (call, number) in table {
      #expect(call.number == number)
      #expect(SystemCall(number: number) == call)
    }
    #expect(SystemCall("no_such_call").number == nil)
    #expect(SystemCall(number: 100_000) == nil)
  }
}
