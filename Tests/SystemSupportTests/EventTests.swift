import Glibc
import SystemSupport
import Testing

@Suite struct EventTests {
  let poller: Poller

  init() throws {
    poller = try Poller()
  }

  @Test("a poller names what happened by its token")
  func readiness() throws {
    let (near, far) = try SocketPair.make()
    try poller.add(near.rawValue, events: .readable, token: 11)
    try poller.add(far.rawValue, events: [.readable, .writable], token: UInt64.max)
    let first = try poller.wait(timeoutMilliseconds: 1000)
    #expect(first.map(\.token) == [UInt64.max])
    #expect(first.map(\.events) == [.writable])

    try Socket.send(far, [1])
    try poller.modify(far.rawValue, events: .readable, token: 12)
    let second = try poller.wait(timeoutMilliseconds: 1000)
    #expect(second.map(\.token) == [11])
    #expect(second.map(\.events) == [.readable])

    try poller.remove(near.rawValue)
    #expect(try poller.wait(timeoutMilliseconds: 0).isEmpty)
  }

  @Test("a closed peer is reported as hung up")
  func hangUp() throws {
    let (near, far) = try SocketPair.make()
    try poller.add(near.rawValue, events: [], token: 1)
    _ = consume far
    let found = try poller.wait(timeoutMilliseconds: 1000)
    #expect(found.map { $0.events.contains(.hangUp) } == [true])
  }

  @Test("a wait without events lasts its time and no longer than it must")
  func timeout() throws {
    let start = BootClock.now()
    #expect(try poller.wait(timeoutMilliseconds: 30).isEmpty)
    #expect(BootClock.now() - start >= 30_000_000)
    #expect(try poller.wait(timeoutMilliseconds: -5).isEmpty)
    let wake = try WakeDescriptor()
    try poller.add(wake.descriptor.rawValue, events: .readable, token: 1)
    wake.wake()
    #expect(try poller.wait(timeoutMilliseconds: Int.max).count == 1)
  }

  @Test("misuse of a poller is an error")
  func misuse() throws {
    let (near, _) = try SocketPair.make()
    #expect(failure { try poller.remove(near.rawValue) } == ENOENT)
    try poller.add(near.rawValue, events: .readable, token: 1)
    #expect(
      failure { try poller.add(near.rawValue, events: .readable, token: 1) } == EEXIST)
    #expect(failure { try poller.add(-1, events: .readable, token: 1) } == EBADF)
  }

  @Test("a wake from another thread ends a wait without end, and many count as one")
  func wake() throws {
    let wake = try WakeDescriptor()
    try poller.add(wake.descriptor.rawValue, events: .readable, token: 5)
    let thread = Threads.start(name: "waker") {
      for _ in 1...3 { wake.wake() }
    }
    #expect(try poller.wait(timeoutMilliseconds: nil).map(\.token) == [5])
    thread.join()
    wake.drain()
    #expect(try poller.wait(timeoutMilliseconds: 0).isEmpty)
    // Nothing to drain: must not block.
    wake.drain()
  }

  @Test("a timer fires at its moment, not before")
  func timer() throws {
    let timer = try BootTimer()
    try poller.add(timer.descriptor.rawValue, events: .readable, token: 6)
    let moment = BootClock.now() + 20_000_000
    try timer.arm(atNanoseconds: moment)
    #expect(try poller.wait(timeoutMilliseconds: 5000).map(\.token) == [6])
    #expect(BootClock.now() >= moment)
    timer.drain()
    #expect(try poller.wait(timeoutMilliseconds: 0).isEmpty)
  }

  @Test("a moment in the past fires at once", arguments: [0, 1] as [UInt64])
  func pastTimer(moment: UInt64) throws {
    let timer = try BootTimer()
    try poller.add(timer.descriptor.rawValue, events: .readable, token: 6)
    try timer.arm(atNanoseconds: moment)
    #expect(try !poller.wait(timeoutMilliseconds: 1000).isEmpty)
  }

  @Test("a disarmed timer does not fire")
  func disarmed() throws {
    let timer = try BootTimer()
    try poller.add(timer.descriptor.rawValue, events: .readable, token: 6)
    try timer.arm(atNanoseconds: BootClock.now() + 10_000_000)
    try timer.arm(atNanoseconds: nil)
    #expect(try poller.wait(timeoutMilliseconds: 40).isEmpty)
  }

  @Test(
    "the time of day is written as UTC",
    arguments: [
      // From `date -u`.
      (0, "1970-01-01T00:00:00.000Z"), (951_868_799_999_999_999, "2000-02-29T23:59:59.999Z"),
      (4_102_444_800_000_000_000, "2100-01-01T00:00:00.000Z"),
      (-1_000_000_000, "1969-12-31T23:59:59.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_709_164_800_001_999_999, "2024-02-29T00:00:00.001Z"),
      (Int64.max, "2262-04-11T23:47:16.854Z"), (Int64.min, "1677-09-21T00:12:43.145Z"),
    ])
  func iso8601(nanoseconds: Int64, text: String) {
    #expect(WallClock.iso8601(nanoseconds) == text)
  }

  @Test("the clocks run")
  func clocks() {
    #expect(WallClock.now() > 1_700_000_000_000_000_000)
    let first = BootClock.now()
    #expect(first > 0)
    #expect(BootClock.now() >= first)
  }
}

@Suite struct SignalTests {
  @Test("a blocked signal is read instead of delivered")
  func descriptor() async {
    await #expect(processExitsWith: .exitCode(7)) {
      try SignalDescriptor.block([SIGTERM, SIGINT])
      let signals = try SignalDescriptor(signals: [SIGTERM, SIGINT])
      let poller = try Poller()
      try poller.add(signals.descriptor.rawValue, events: .readable, token: 0)
      guard try signals.read() == nil else { exit(1) }
      raise(SIGTERM)
      guard try poller.wait(timeoutMilliseconds: 1000).count == 1 else { exit(2) }
      guard try signals.read() == SIGTERM, try signals.read() == nil else { exit(3) }
      exit(7)
    }
  }

  @Test("restoring the defaults makes a blocked and ignored signal deadly again")
  func restoreDefaults() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      Signals.ignoreBrokenPipe()
      try SignalDescriptor.block([SIGPIPE])
      raise(SIGPIPE)
      Signals.restoreDefaults()
      // Blocked signals that were ignored are dropped by the kernel, so it takes another one.
      raise(SIGPIPE)
      exit(0)
    }
  }

  @Test("writing to a closed pipe is an error once broken pipes are ignored")
  func brokenPipe() async {
    await #expect(processExitsWith: .exitCode(EPIPE)) {
      Signals.ignoreBrokenPipe()
      let (reading, writing) = try makePipe()
      _ = consume reading
      exit(failure { try FileTransfer.writeAll(writing, [1]) } ?? 0)
    }
  }

  @Test("an impossible signal is refused")
  func impossible() {
    #expect(failure { try SignalDescriptor.block([0]) } == EINVAL)
    #expect(failure { _ = try SignalDescriptor(signals: [1000]) } == EINVAL)
  }

  @Test("signals have their names")
  func names() {
    #expect(Signals.name(of: SIGSEGV) == "SIGSEGV")
    #expect(Signals.name(of: SIGSYS) == "SIGSYS")
    #expect(Signals.name(of: 31) == "SIGSYS")
    #expect(Signals.name(of: 40) == "SIG40")
    // All before the real-time ones, but the one that Linux never sends.
    for number in Int32(1)...31 where number != 16 {
      let name = Signals.name(of: number)
      #expect(name != "SIG\(number)")
    }
  }

  @Test("a wait and a receive go on after an interrupting signal")
  func interrupted() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { _ in }
      unsafe sigaction(SIGUSR1, &action, nil)
      let (near, far) = try SocketPair.make()
      let started = BoundedQueue<pthread_t>(capacity: 1)
      let results = BoundedQueue<Bool>(capacity: 4)
      // Before the thread waits: on a busy machine it may have waited a while when we go on.
      let start = BootClock.now()
      let thread = Threads.start(name: "reader") {
        _ = started.push(pthread_self())
        let poller = try? Poller()
        let waited = try? poller?.wait(timeoutMilliseconds: 200)
        _ = results.push(waited?.isEmpty == true)
        let received = try? Socket.receive(near, maximumBytes: 9, maximumDescriptors: 0)
        _ = results.push(received?.bytes == [5])
      }
      guard let target = started.pop() else { exit(1) }
      while results.count == 0 {
        pthread_kill(target, SIGUSR1)
        usleep(5000)
      }
      guard results.pop() == true, BootClock.now() - start >= 190_000_000 else { exit(2) }
      for _ in 1...20 {
        pthread_kill(target, SIGUSR1)
        usleep(2000)
      }
      try Socket.send(far, [5])
      guard results.pop() == true else { exit(3) }
      thread.join()
      exit(7)
    }
  }
}
