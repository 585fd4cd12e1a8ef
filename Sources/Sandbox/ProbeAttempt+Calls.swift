internal import CSystem
internal import Glibc

/// What attempts are aimed at. Nothing of it need exist in a process that is sealed.
package struct ProbeTargets: Sendable {
  /// The process that forked this one.
  package var parent: Int32
  /// A process of the same user that may be harmed.
  package var stranger: Int32
  /// A file that may be harmed, and the directory it is in.
  package var file: String
  package var directory: String

  package init(parent: Int32, stranger: Int32, file: String, directory: String) {
    self.parent = parent
    self.stranger = stranger
    self.file = file
    self.directory = directory
  }

  /// For a process that is sealed already: should it not be, process 1 gets no signal that harms it, and
  /// the stranger and the files don't exist.
  package static let none = ProbeTargets(
    parent: 1, stranger: .max, file: "/tmp/minilab-probe-none/file",
    directory: "/tmp/minilab-probe-none")
}

extension ProbeAttempt {
  /// Makes the attempt by raw system calls, so that the C library can't take another way.
  ///
  /// Under the filter it may end the process. Gives 0 or the errno.
  package func perform(_ targets: ProbeTargets) -> Int32 {
    let result =
      filesResult(targets) ?? networkResult() ?? processResult(targets) ?? memoryResult()
      ?? kernelResult(targets)
    return result < 0 ? Int32(-result) : 0
  }

  private func filesResult(_ targets: ProbeTargets) -> Int? {
    let here = UInt(bitPattern: Int(AT_FDCWD))
    let (file, directory) = (targets.file, targets.directory)
    switch self {
    case .readFile: return call("openat", here, "/etc/passwd", UInt(O_RDONLY))
    case .createFile:
      return call("openat", here, directory + "/created", UInt(O_CREAT | O_EXCL | O_WRONLY), 0o600)
    case .createNamelessFile:
      return call("openat", here, directory, UInt(OpenFlag.nameless | O_WRONLY), 0o600)
    case .openDirectory: return call("openat", here, "/", UInt(O_RDONLY | O_DIRECTORY))
    case .openOwnMemory: return call("openat", here, "/proc/self/mem", UInt(O_RDWR))
    case .statPath: return withRoom { call("newfstatat", here, "/etc/passwd", $0) }
    case .statEmptyPath:
      return withRoom { call("newfstatat", here, "/etc/passwd", $0, UInt(OpenFlag.emptyPath)) }
    case .extendedStat: return withRoom { call("statx", here, "/etc/passwd", 0, 0xfff, $0) }
    case .readLink: return withRoom { call("readlinkat", here, "/proc/self/exe", $0, 64) }
    case .unlinkFile: return call("unlinkat", here, file)
    case .makeDirectory: return call("mkdirat", here, directory + "/made", 0o700)
    case .renameFile:
      return unsafe (directory + "/renamed").withCString { new in
        call("renameat2", here, file, here, UInt(bitPattern: new))
      }
    case .symlinkFile:
      return unsafe (directory + "/link").withCString { name in
        unsafe file.withCString { target in
          call("symlinkat", UInt(bitPattern: target), here, UInt(bitPattern: name))
        }
      }
    case .truncateFile:
      return unsafe file.withCString { call("truncate", UInt(bitPattern: $0), 0) }
    case .changeMode: return call("fchmod", UInt(bitPattern: -1), 0o600)
    case .changeDirectory: return unsafe "/".withCString { call("chdir", UInt(bitPattern: $0)) }
    default: return nil
    }
  }

  private func networkResult() -> Int? {
    switch self {
    case .tcpConnect: loopback(kind: SocketKind.stream) { call("connect", $0, $1, 16) }
    case .tcpListen:
      loopback(kind: SocketKind.stream, port: 0) { socket, address in
        let bound = call("bind", socket, address, 16)
        return bound < 0 ? bound : call("listen", socket, 1)
      }
    case .udpSend:
      loopback(kind: SocketKind.datagram) { socket, address in
        call("sendto", socket, address, 1, 0, address, 16)
      }
    case .unixConnect:
      withRoom { room in
        let socket = call("socket", UInt(AF_UNIX), SocketKind.stream, 0)
        return socket < 0 ? socket : call("connect", UInt(socket), room, 2)
      }
    case .multipathTCP: call("socket", UInt(AF_INET), SocketKind.stream, SocketKind.multipath)
    case .socketPair: withRoom { call("socketpair", UInt(AF_UNIX), SocketKind.stream, 0, $0) }
    default: nil
    }
  }

  private func processResult(_ targets: ProbeTargets) -> Int? {
    let parent = UInt(bitPattern: Int(targets.parent))
    let stranger = UInt(bitPattern: Int(targets.stranger))
    // The permission check is the same for every signal; this one harms nobody.
    let harmless = UInt(SIGURG)
    switch self {
    case .signalParentZero: return call("kill", parent, 0)
    case .signalParent: return call("kill", parent, harmless)
    case .signalStranger: return call("kill", stranger, UInt(SIGTERM))
    case .signalThreadOfStranger: return call("tgkill", stranger, stranger, harmless)
    case .queueSignal: return withRoom { call("rt_sigqueueinfo", stranger, harmless, $0) }
    case .fork: return minilab_sandbox_try_fork()
    case .vfork: return minilab_sandbox_try_vfork()
    case .cloneProcess: return minilab_sandbox_try_clone(UInt(SIGCHLD))
    case .cloneNamespace:
      return minilab_sandbox_try_clone(UInt(CloneFlag.newUser) | UInt(SIGCHLD))
    case .cloneByRecord: return call("clone3", 0, 0)
    case .execute: return minilab_sandbox_try_execute()
    case .trace: return call("ptrace", TraceRequest.seize, stranger, 0, 0)
    case .readStrangersMemory: return call("process_vm_readv", stranger, 0, 0, 0, 0, 0)
    case .openStranger: return call("pidfd_open", stranger, 0)
    case .limitStranger:
      return withRoom { call("prlimit64", stranger, UInt(ResourceLimit.core), $0, 0) }
    case .scheduleStranger:
      return withRoom { room in
        let size = call("sched_getaffinity", 0, 128, room)
        return size < 0 ? size : call("sched_setaffinity", stranger, UInt(size), room)
      }
    case .ownDescriptorForStranger:
      return call("fcntl", 0, UInt(FcntlCommand.setOwner), stranger)
    default: return nil
    }
  }

  private func memoryResult() -> Int? {
    let readWrite = UInt(PROT_READ | PROT_WRITE)
    let executable = UInt(PROT_READ | PROT_EXEC)
    let flags = UInt(MAP_PRIVATE | MAP_ANONYMOUS)
    let noDescriptor = UInt(bitPattern: -1)
    func mapping(_ protection: UInt) -> Int {
      call("mmap", 0, 4096, protection, flags, noDescriptor, 0)
    }
    func changing(_ body: (UInt) -> Int) -> Int {
      let address = mapping(readWrite)
      return address < 0 ? address : body(UInt(address))
    }
    return switch self {
    case .memoryFile: withRoom { call("memfd_create", $0, 0) }
    case .mapExecutable: min(mapping(executable), 0)
    case .protectExecutable: changing { call("mprotect", $0, 4096, executable) }
    case .protectExecutableByKey:
      changing { call("pkey_mprotect", $0, 4096, executable, noDescriptor) }
    default: nil
    }
  }

  private func kernelResult(_ targets: ProbeTargets) -> Int {
    switch self {
    case .raiseHardLimit: Self.raiseHardLimit()
    case .setDumpable: call("prctl", UInt(ProcessControl.setDumpable), 1)
    case .clearDeathSignal: call("prctl", UInt(ProcessControl.setParentDeathSignal), 0)
    case .unshare: call("unshare", NamespaceFlag.hostName)
    case .mount:
      // A type that no kernel has: should it get through, nothing is mounted.
      unsafe targets.directory.withCString { directory in
        let directory = UInt(bitPattern: directory)
        return call("mount", directory, directory, directory, 0, 0)
      }
    case .ioUring: withRoom { call("io_uring_setup", 1, $0) }
    case .bpf: call("bpf", 0, 0, 0)
    case .performanceEvents: call("perf_event_open", 0, 0, 0, 0, 0)
    case .keyring: call("keyctl", 0, UInt(bitPattern: -3), 0)
    case .userFault: call("userfaultfd", 0)
    case .changeUser: call("setuid", UInt(bitPattern: -1))
    case .loadSecondFilter: call("seccomp", 1, 0, 0)
    case .x32Call: minilab_sandbox_call(0x4000_0000 + 39, 0, 0, 0, 0, 0, 0)
    case .foreignEntry: minilab_sandbox_try_foreign_entry()
    default: -Int(EINVAL)
    }
  }

  /// Lowers its own hard limit, which is allowed, and tries to take that back.
  private static func raiseHardLimit() -> Int {
    func set(_ limit: UInt64) -> Int {
      let pair = [limit, limit]
      return unsafe pair.withUnsafeBytes {
        call(
          "prlimit64", 0, UInt(ResourceLimit.addressSpace),
          UInt(bitPattern: $0.baseAddress), 0)
      }
    }
    let lowered = set(1 << 46)
    return lowered < 0 ? lowered : set(1 << 47)
  }
}

/// Makes a socket and lends it with the address 127.0.0.1:port, by default the discard port.
private func loopback(kind: UInt, port: UInt8 = 9, _ body: (UInt, UInt) -> Int) -> Int {
  let socket = call("socket", UInt(AF_INET), kind, 0)
  guard socket >= 0 else { return socket }
  var address = [UInt8](repeating: 0, count: 16)
  address[0] = UInt8(AF_INET)
  address[3] = port
  address.replaceSubrange(4..<8, with: [127, 0, 0, 1])
  return unsafe address.withUnsafeBytes { body(UInt(socket), UInt(bitPattern: $0.baseAddress)) }
}

private enum OpenFlag {
  /// O_TMPFILE.
  static let nameless: Int32 = 0o20000000 | O_DIRECTORY
  /// AT_EMPTY_PATH.
  static let emptyPath: Int32 = 0x1000
}

private enum SocketKind {
  static let stream: UInt = 1
  static let datagram: UInt = 2
  /// IPPROTO_MPTCP, which Landlock's TCP rights don't cover.
  static let multipath: UInt = 262
}

private enum TraceRequest {
  static let seize: UInt = 0x4206
}

private enum NamespaceFlag {
  /// CLONE_NEWUTS.
  static let hostName: UInt = 0x0400_0000
}
