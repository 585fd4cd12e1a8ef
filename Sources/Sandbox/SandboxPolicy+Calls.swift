internal import Glibc

// The call list. Found by removing one call at a time over all pairs of formats, then by reading what
// is left over in the libraries' error paths. What is in no group ends the process.
extension SandboxPolicy {
  /// The rule of every call that has one.
  package var calls: [SystemCall: CallRule] {
    var rules: [SystemCall: CallRule] = [:]
    for call in Self.free { rules[call] = .allow }
    for (errno, calls) in Self.soft {
      for call in calls { rules[call] = .refuse(errno: UInt16(errno)) }
    }
    rules.merge(conditional) { _, conditional in conditional }
    return rules
  }

  /// Nothing here names a file, a peer or another process.
  private static let free: [SystemCall] = [
    // Descriptors it was given. recvmsg brings the job's own descriptors.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "ftruncate", "close", "dup",
    "fstat",
    "recvmsg", "sendmsg", "recvfrom", "poll", "ppoll",
    // Memory.
    "munmap", "mremap", "madvise", "brk",
    // Threads, their end, and signals it sends itself. restart_syscall follows SIGSTOP and SIGCONT.
    "futex", "set_robust_list", "rseq", "exit", "exit_group", "sched_yield", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
    // Clocks; most never reach the kernel.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    // Questions about itself and the machine. GLib seeds its random numbers from getppid when it can't
    // open /dev/urandom.
    "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getrusage", "times",
    "getcpu",
    "sched_getaffinity", "sched_get_priority_max", "sched_get_priority_min", "sysinfo",
    "getrandom",
  ]

  /// Probes that libraries make and whose failure they handle. Ending the process would turn a
  /// harmless look for a time zone file into a violation.
  private static let soft: [(Int32, [SystemCall])] = [
    (
      EACCES,
      [
        "open", "openat", "openat2", "creat", "stat", "lstat", "statx", "access", "faccessat",
        "faccessat2", "readlink", "readlinkat", "statfs", "getcwd", "unlink", "unlinkat", "mkdir",
        "mkdirat", "socket",
        // fstat(3) of glibc 2.33 to 2.38 comes this way. Allowing it, even with the empty-path flag
        // alone, would leak stat of any path: a filter cannot see the string.
        "newfstatat",
      ]
    ),
    (
      EPERM,
      [
        "uname", "umask", "fstatfs", "getpeername", "fadvise64",
        // With a pid these reach other processes of the same user.
        "sched_setaffinity", "sched_setscheduler", "sched_getscheduler", "sched_setparam",
        "sched_getparam", "setpriority",
      ]
    ),
    (ENOTTY, ["ioctl"]),
    // "Not there" makes glibc fall back to clone, whose flags a filter can see; libnuma gives up.
    (ENOSYS, ["clone3", "get_mempolicy", "set_mempolicy", "mbind"]),
  ]

  private var conditional: [SystemCall: CallRule] {
    // An errno, not the end: run-time compilers (ORC, PCRE in GLib) try, and do without. EACCES is
    // what they know from SELinux' execmem. The memory is no more executable for the caller living.
    let mapping: CallRule =
      refusesExecutableMemory
      ? .allowIf([[.noBits(2, of: UInt32(PROT_EXEC))]], otherwise: .errno(UInt16(EACCES)))
      : .allow
    return [
      "mmap": mapping,
      "mprotect": mapping,
      // A thread of this process, as pthread_create asks for it; no process, no namespace.
      "clone": .allowIf(
        [[.flags(0, required: CloneFlag.thread, optional: CloneFlag.threadExtras)]],
        otherwise: .violation),
      // abort(3) and pthread_kill(3).
      "tgkill": .allowIf([[.ownProcess(0)]], otherwise: .violation),
      // send(3) on its own socket, not to an address.
      "sendto": .allowIf([[.null(4)]], otherwise: .errno(UInt16(EPERM))),
      "fcntl": .allowIf(
        [
          F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC,
          FcntlCommand.getSeals,
        ].map { [.int(1, UInt32($0))] },
        otherwise: .errno(UInt16(EPERM))),
      "prctl": .allowIf(
        [
          ProcessControl.setName, ProcessControl.getName, ProcessControl.getDumpable,
          ProcessControl.getNoNewPrivileges,
        ].map { [.int(0, $0)] },
        otherwise: .errno(UInt16(EPERM))),
      // Its own address space within the hard limit; any limit may be read. The process holds no
      // capability, so it cannot raise the hard limit as root either.
      "prlimit64": .allowIf(
        [[.int(0, 0), .int(1, ResourceLimit.addressSpace)], [.int(0, 0), .null(2)]],
        otherwise: .errno(UInt16(EPERM))),
      "getpriority": .allowIf(
        [[.int(0, 0), .int(1, 0)]], otherwise: .errno(UInt16(EPERM))),
    ]
  }
}

// The kernel's values, which Glibc's module doesn't import or types differently.

enum CloneFlag {
  /// VM, FS, FILES, SIGHAND, THREAD.
  static let thread: UInt32 = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000
  /// SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID, DETACHED (musl), CHILD_SETTID.
  static let threadExtras: UInt32 =
    0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x0100_0000
  static let newUser: UInt32 = 0x1000_0000
}

enum FcntlCommand {
  static let getSeals: Int32 = 1034
  static let setOwner: Int32 = 8
}

enum ProcessControl {
  static let setParentDeathSignal: UInt32 = 1
  static let getDumpable: UInt32 = 3
  static let setDumpable: UInt32 = 4
  static let setName: UInt32 = 15
  static let getName: UInt32 = 16
  static let getNoNewPrivileges: UInt32 = 39
}

enum ResourceLimit {
  static let core: UInt32 = 4
  static let addressSpace: UInt32 = 9
}
