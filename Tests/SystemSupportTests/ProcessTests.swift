import Glibc
import SystemSupport
import Testing

@Suite struct SpawnTests {
  @Test("a program gets its arguments and environment and nothing else")
  func arguments() throws {
    let echo = try capture("/bin/echo", ["a b", "", "é\n"])
    #expect(echo.output == "a b  é\n\n")
    #expect(echo.report.status == .exited(0))
    #expect(try capture("/usr/bin/env", [], environment: ["A=1", "B="]).output == "A=1\nB=\n")
  }

  @Test("exit status and signal are told apart")
  func status() throws {
    #expect(try capture("/bin/sh", ["-c", "exit 137"]).report.status == .exited(137))
    #expect(try capture("/bin/sh", ["-c", "kill -9 $$"]).report.status == .signalled(SIGKILL))
    #expect(try capture("/bin/sh", ["-c", "kill -SEGV $$"]).report.status == .signalled(SIGSEGV))
  }

  @Test(
    "a program that can't be started is an error with exec's own reason",
    arguments: [("none", ENOENT), ("plain", EACCES), ("", EACCES), ("garbage", ENOEXEC)])
  func execFails(name: String, code: Int32) throws {
    let folder = try TemporaryFolder()
    try folder.write("plain", "#!/bin/sh\n")
    try folder.write("garbage", "no program")
    #expect(unsafe chmod(folder.path + "/garbage", 0o755) == 0)
    func attempt() -> Int32? {
      do {
        _ = try ChildProcess.spawn(
          path: "\(folder.path)/\(name)", arguments: [], environment: [], descriptors: [])
        return nil
      } catch {
        return error.errno
      }
    }
    var found = attempt()
    // A child that another test forked while the file was written keeps it open until its own exec.
    for _ in 0..<100 where found == ETXTBSY {
      usleep(20_000)
      found = attempt()
    }
    #expect(found == code)
  }

  @Test("bad descriptors and arguments are refused")
  func refused() {
    func spawn(_ arguments: [String], _ descriptors: [(source: Int32, target: Int32)]) throws {
      _ = try ChildProcess.spawn(
        path: "/bin/true", arguments: arguments, environment: [], descriptors: descriptors)
    }
    #expect(failure { try spawn([], [(source: 1_000_000_000, target: 5)]) } == EBADF)
    #expect(failure { try spawn([], [(source: 0, target: -1)]) } == EBADF)
    #expect(failure { try spawn(["a\0b"], []) } == EINVAL)
    #expect(
      failure { try spawn([], (0...64).map { (source: 0, target: $0 + 3) }) } == EINVAL)
  }

  @Test("only the mapped descriptors are open; standard ones not named are the null device")
  func descriptors() throws {
    let one = try memoryFile("")
    let two = try memoryFile("")
    // Not close-on-exec, so that only the closing of the rest keeps it out.
    let leaked = dup(one.rawValue)
    defer { close(leaked) }
    let result = try capture(
      "/bin/sh", ["-c", "/bin/ls /proc/$$/fd; /usr/bin/readlink /proc/$$/fd/0 /proc/$$/fd/2"],
      descriptors: [(source: one.rawValue, target: 7), (source: two.rawValue, target: 40)])
    #expect(result.output == "0\n1\n2\n40\n7\n/dev/null\n/dev/null\n")
  }

  @Test("descriptors can trade places, and one can be given twice")
  func overlapping() throws {
    let one = try memoryFile("one ")
    let two = try memoryFile("two ")
    let (first, second) = (one.rawValue, two.rawValue)
    let high = max(first, second) + 1
    let result = try capture(
      "/bin/cat", [first, second, high].map { "/proc/self/fd/\($0)" },
      descriptors: [
        (source: first, target: second), (source: second, target: first),
        (source: first, target: high),
      ])
    #expect(result.output == "two one one ")
    // The parent's own are as before.
    #expect(try text(one) == "one ")
  }

  @Test("a descriptor mapped to its own number stays open")
  func identity() throws {
    let file = try memoryFile("same")
    let result = try capture(
      "/bin/cat", ["/proc/self/fd/\(file.rawValue)"],
      descriptors: [(source: file.rawValue, target: file.rawValue)])
    #expect(result.output == "same")
  }

  @Test("signals are at their defaults and unblocked, whatever the parent did")
  func signals() throws {
    let outputs = BoundedQueue<String>(capacity: 1)
    Threads.start(name: "blocked") {
      // On a thread of its own: blocking lasts as long as the thread.
      try? SignalDescriptor.block([SIGUSR2, SIGTERM])
      let result = try? capture("/bin/cat", ["/proc/self/status"])
      _ = outputs.push(result?.output ?? "")
    }.join()
    let lines = outputs.pop()?.split(separator: "\n") ?? []
    for title in ["SigBlk", "SigIgn", "SigCgt"] {
      let line = lines.first { $0.hasPrefix(title) }
      let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
      // Signals 32 and 33 belong to the C library, which lets nobody change them.
      #expect(mask.map { $0 & ~0x1_8000_0000 } == 0)
    }
  }

  @Test("a child leads a session of its own unless told not to", arguments: [true, false])
  func session(isNew: Bool) throws {
    let output = try MemoryFile.create(name: "output")
    let child = try ChildProcess.spawn(
      path: "/bin/cat", arguments: ["/proc/self/stat"], environment: [],
      descriptors: [(source: output.rawValue, target: 1)], newSession: isNew)
    _ = try child.wait()
    let fields = try text(output).split(separator: " ")
    #expect(Int32(fields[5]) == (isNew ? child.pid : getsid(0)))
  }

  @Test("a child dies with the thread that started it")
  func parentDeath() throws {
    let children = BoundedQueue<ChildProcess>(capacity: 1)
    Threads.start(name: "parent") {
      let child = try? ChildProcess.spawn(
        path: "/bin/sleep", arguments: ["100"], environment: [], descriptors: [])
      if let child { _ = children.push(child) }
    }.join()
    let child = try #require(children.tryPop())
    #expect(try child.wait().status == .signalled(SIGKILL))
  }

  @Test("the end shows on the descriptor, and a signal after it is an error")
  func ending() throws {
    let child = try ChildProcess.spawn(
      path: "/bin/sleep", arguments: ["100"], environment: [], descriptors: [])
    #expect(try !child.hasEnded(withinMilliseconds: 10))
    try child.kill(SIGTERM)
    #expect(try child.hasEnded(withinMilliseconds: 5000))
    #expect(try child.wait().status == .signalled(SIGTERM))
    #expect(failure { try child.kill(SIGTERM) } == ESRCH)
    #expect(failure { _ = try child.wait() } == ECHILD)
  }

  @Test("a report has processor time and memory")
  func usage() throws {
    let report = try capture(
      "/bin/sh", ["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"]
    ).report
    #expect(report.userMicroseconds > 1000)
    #expect(report.userMicroseconds < 60_000_000)
    #expect(report.peakResidentBytes > 100_000)
    #expect(report.peakResidentBytes < 1 << 30)
  }
}

/// How a forked copy of this process ends that runs only this.
private func forked(_ body: () throws -> Void) throws -> ExitReport {
  let pid = ProcessControl.fork()
  if pid == 0 {
    let code = failure(body) ?? 0
    _exit(code)
  }
  return try ChildProcess(forked: pid).wait()
}

@Suite struct ProcessControlTests {
  @Test("a forked child is reaped with its report, and then there is none")
  func reap() async {
    await #expect(processExitsWith: .exitCode(7)) {
      guard try ProcessControl.reapAny() == nil else { exit(1) }
      let pid = ProcessControl.fork()
      if pid == 0 {
        pause()
        _exit(0)
      }
      guard pid > 0, try ProcessControl.reapAny() == nil else { exit(2) }
      let descriptor = try ProcessControl.openPidDescriptor(pid)
      try ProcessControl.sendSignal(descriptor, SIGKILL)
      let child = try ChildProcess(forked: pid)
      guard try child.hasEnded(withinMilliseconds: 5000) else { exit(3) }
      let reaped = try ProcessControl.reapAny()
      guard reaped?.pid == pid, reaped?.report.status == .signalled(SIGKILL) else { exit(4) }
      guard try ProcessControl.reapAny() == nil else { exit(5) }
      exit(failure { _ = try ProcessControl.openPidDescriptor(pid) } == ESRCH ? 7 : 6)
    }
  }

  @Test("everything but the named descriptors is closed")
  func closeAllExcept() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let kept = try makePipe()
      let lost = try makePipe()
      let numbers = [kept.0.rawValue, kept.1.rawValue]
      let all = numbers + [lost.0.rawValue, lost.1.rawValue, 0, 1, 2]
      let open = try forked {
        try ProcessControl.closeAllExcept([numbers[1], numbers[0], numbers[0], -1])
        _exit(Int32(all.filter { fcntl($0, F_GETFD) >= 0 }.count))
      }
      guard open.status == .exited(2) else { exit(1) }
      let none = try forked {
        try ProcessControl.closeAllExcept([])
        _exit(Int32(all.filter { fcntl($0, F_GETFD) >= 0 }.count))
      }
      withExtendedLifetime((kept, lost)) {}
      exit(none.status == .exited(0) ? 7 : 2)
    }
  }

  @Test("limits hold")
  func limits() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let size = try forked {
        signal(SIGXFSZ, SIG_IGN)
        try ProcessControl.setLimit(.fileSize, soft: 1000, hard: 1000)
        let file = try MemoryFile.create(name: "output")
        try FileTransfer.writeAll(file, [UInt8](repeating: 0, count: 2000))
      }
      guard size.status == .exited(EFBIG) else { exit(1) }
      let files = try forked {
        try ProcessControl.setLimit(.openFiles, soft: 0, hard: 0)
        _ = try MemoryFile.create(name: "output")
      }
      guard files.status == .exited(EMFILE) else { exit(2) }
      let time = try forked {
        try ProcessControl.setLimit(.processorTime, soft: 1, hard: 1)
        while true {}
      }
      guard time.status == .signalled(SIGKILL) else { exit(3) }
      let inverted = failure {
        try ProcessControl.setLimit(.coreDump, soft: 1, hard: 0)
      }
      exit(inverted == EINVAL ? 7 : 4)
    }
  }

  @Test("each resource sets the limit it names")
  func resources() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // Low enough for an ordinary user, high enough to go on, and all different. The testing
      // library has already forbidden core dumps.
      let named: [(ProcessControl.Resource, String, UInt64)] = [
        (.addressSpace, "Max address space", 1 << 46), (.data, "Max data size", 1 << 45),
        (.processorTime, "Max cpu time", 100_001), (.fileSize, "Max file size", 1 << 40),
        (.openFiles, "Max open files", 501), (.coreDump, "Max core file size", 0),
        (.processes, "Max processes", 5001), (.stack, "Max stack size", 8_388_607),
      ]
      for (index, (resource, title, limit)) in named.enumerated() {
        try ProcessControl.setLimit(resource, soft: limit, hard: limit)
        let limits = try OwnedDescriptor.open(path: "/proc/self/limits", flags: O_RDONLY)
        let line = try text(limits).split(separator: "\n").first { $0.hasPrefix(title) }
        guard line?.contains(" \(limit) ") == true else { exit(Int32(100 + index)) }
      }
      exit(7)
    }
  }

  @Test("a forked child dies with its parent's thread when it asks to")
  func parentDeath() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let (reading, writing) = try makePipe()
      let middle = ProcessControl.fork()
      if middle == 0 {
        let parent = getpid()
        if ProcessControl.fork() == 0 {
          try ProcessControl.setParentDeathSignal(SIGKILL)
          if getppid() == parent { try FileTransfer.writeAll(writing, [1]) }
          while true { pause() }
        }
        var byte: UInt8 = 0
        unsafe read(reading.rawValue, &byte, 1)
        _exit(Int32(byte))
      }
      _ = consume writing
      guard try ChildProcess(forked: middle).wait().status == .exited(1) else { exit(1) }
      // The end of the pipe: no writer is left, so the grandchild is gone.
      exit(try FileTransfer.readAll(reading, limit: 1).isEmpty ? 7 : 2)
    }
  }

  @Test("a session of its own, a name, and not being dumpable take effect")
  func ownState() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let report = try forked {
        try ProcessControl.newSession()
        guard getsid(0) == getpid() else { _exit(101) }
        // A leader can't lead again.
        guard failure({ try ProcessControl.newSession() }) == EPERM else { _exit(102) }
        ProcessControl.setName("a-name-longer-than-fits")
        let name = try OwnedDescriptor.open(path: "/proc/self/comm", flags: O_RDONLY)
        guard try text(name) == "a-name-longer-t\n" else { _exit(103) }
        guard ProcessControl.isDumpable() else { _exit(104) }
        try ProcessControl.setDumpable(false)
        _exit(ProcessControl.isDumpable() ? 105 : 7)
      }
      exit(report.status == .exited(7) ? 7 : 1)
    }
  }
}
