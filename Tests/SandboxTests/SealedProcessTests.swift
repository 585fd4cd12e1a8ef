import Glibc
import Sandbox
import Testing

/// What a sealed process can still do, looked at from outside.
@Suite(
  "A sealed process", .enabled(if: isSupported, "this kernel lacks a sandbox layer"), .serialized)
struct SealedProcessTests {
  /// Runs a closure in a child under the job policy; 200 when it couldn't be sealed.
  static func sealed(
    _ policy: SandboxPolicy = .job, _ body: @escaping () -> Int32
  ) throws -> ForkedChild.Ending {
    let sandbox = try Sandbox.prepare(policy)
    return ForkedChild {
      do { _ = try sandbox.apply() } catch { return 200 }
      return body()
    }.wait()
  }

  @Test("allocates and frees, small and large")
  func allocates() throws {
    let ending = try Self.sealed {
      for size in [16, 4096, 1 << 20, 1 << 26] {
        guard let memory = unsafe malloc(size) else { return 1 }
        unsafe memset(memory, 1, size)
        guard let larger = unsafe realloc(memory, size * 2) else { return 2 }
        unsafe free(larger)
      }
      return 0
    }
    #expect(ending == .exited(0))
  }

  @Test("starts threads")
  func threads() throws {
    let ending = try Self.sealed {
      for _ in 0..<8 where startThread() != 0 { return 1 }
      return 0
    }
    #expect(ending == .exited(0))
  }

  @Test("reads, seeks and writes on the descriptors that it was given")
  func descriptors() throws {
    var template = Array("/tmp/minilab-sandbox-test-XXXXXX".utf8CString)
    let file = unsafe mkstemp(&template)
    try #require(file >= 0)
    defer { close(file) }
    unsafe unlink(template)
    let ending = try Self.sealed {
      let text: [UInt8] = Array("sealed".utf8)
      guard unsafe write(file, text, 6) == 6, lseek(file, 2, SEEK_SET) == 2 else { return 1 }
      var back = [UInt8](repeating: 0, count: 4)
      guard unsafe read(file, &back, 4) == 4 else { return 2 }
      return back == Array("aled".utf8) ? 0 : 3
    }
    #expect(ending == .exited(0))
    #expect(lseek(file, 0, SEEK_END) == 6)
  }

  @Test("that aborts ends by SIGABRT, not as a violation")
  func aborts() throws {
    let ending = try Self.sealed { abort() }
    #expect(ending == .signalled(SIGABRT))
  }

  @Test("whose heap is found damaged ends by SIGABRT, not as a violation")
  func heapDamage() throws {
    let ending = try Self.sealed {
      silenceErrors()
      // An address that malloc never gave.
      var bytes = [UInt8](repeating: 0, count: 256)
      unsafe bytes.withUnsafeMutableBytes { unsafe free($0.baseAddress.map { unsafe $0 + 8 }) }
      return 0
    }
    #expect(ending == .signalled(SIGABRT))
  }

  @Test("that raises a signal of its own ends by that signal")
  func ownSignal() throws {
    let ending = try Self.sealed { raise(SIGSEGV) }
    #expect(ending == .signalled(SIGSEGV))
  }

  @Test("that breaks the rules ends by SIGSYS, from a thread too")
  func violation() throws {
    #expect(try Self.sealed { kill(getpid(), 0) } == .signalled(SIGSYS))
    #expect(try Self.sealed { startThread { kill(1, 0) } } == .signalled(SIGSYS))
  }

  @Test("cannot be sealed less by sealing it again")
  func twice() throws {
    let sandbox = try Sandbox.prepare(.job)
    let ending = try Self.sealed { (try? sandbox.apply()) == nil ? 1 : 0 }
    #expect(ending == .signalled(SIGSYS))
  }

  @Test("in trap mode names the blocked call and exits with 159")
  func trap() throws {
    var pipe: [Int32] = [0, 0]
    try #require(unsafe Glibc.pipe(&pipe) == 0)
    defer { close(pipe[0]) }
    let end = pipe[1]
    let sandbox = try Sandbox.prepare(SandboxPolicy(onViolation: .trap))
    let child = ForkedChild {
      dup2(end, 2)
      do { _ = try sandbox.apply() } catch { return 200 }
      return kill(getpid(), 0)
    }
    close(pipe[1])
    #expect(child.wait() == .exited(128 + SIGSYS))
    var text = [UInt8](repeating: 0, count: 200)
    let count = unsafe read(pipe[0], &text, text.count)
    #expect(
      String(decoding: text.prefix(max(count, 0)), as: UTF8.self)
        == "sandbox: blocked call kill (62)\n")
  }

  @Test("shows the layers in the kernel's own account of it")
  func status() throws {
    var ready: [Int32] = [0, 0]
    var hold: [Int32] = [0, 0]
    try #require(unsafe pipe(&ready) == 0 && pipe(&hold) == 0)
    let (tell, listen, wait, release) = (ready[1], ready[0], hold[0], hold[1])
    defer { for descriptor in [tell, listen, wait] { close(descriptor) } }
    let sandbox = try Sandbox.prepare(.job)
    let child = ForkedChild {
      close(release)
      do { _ = try sandbox.apply() } catch { return 200 }
      var byte: UInt8 = 1
      guard unsafe write(tell, &byte, 1) == 1 else { return 1 }
      return unsafe read(wait, &byte, 1) == 0 ? 0 : 2
    }
    var byte: UInt8 = 0
    #expect(unsafe read(listen, &byte, 1) == 1)
    let lines = try contents(of: "/proc/\(child.pid)/status").split(separator: "\n").map(
      String.init)
    close(release)
    #expect(child.wait() == .exited(0))
    #expect(lines.contains("NoNewPrivs:\t1"))
    #expect(lines.contains("Seccomp:\t2"))
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
      #expect(lines.contains("\(set):\t0000000000000000"))
    }
  }

  @Test("without a free descriptor is refused, and the error names the layer")
  func noDescriptor() throws {
    let sandbox = try Sandbox.prepare(.job)
    let child = ForkedChild {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      guard unsafe setrlimit(__rlimit_resource_t(7), &none) == 0 else { return 3 }
      do throws(SandboxError) { _ = try sandbox.apply() } catch {
        return error == SandboxError(.layerRefused(.landlock), errno: EMFILE) ? 0 : 1
      }
      return 2
    }
    #expect(child.wait() == .exited(0))
  }

  @Test("is refused while it has two threads")
  func severalThreads() throws {
    let sandbox = try Sandbox.prepare(.job)
    let child = ForkedChild {
      startThread {
        do throws(SandboxError) { _ = try sandbox.apply() } catch {
          return error.code == .severalThreads ? 0 : 1
        }
        return 2
      }
    }
    #expect(child.wait() == .exited(0))
  }

  @Test("costs well under a third of a millisecond")
  func cost() throws {
    let sandbox = try Sandbox.prepare(.job)
    // Microseconds, the best of twenty: other programs share the machine.
    let best = (0..<20).map { _ in
      let child = ForkedChild {
        let start = nanoseconds()
        do { _ = try sandbox.apply() } catch { return 255 }
        return Int32(clamping: min((nanoseconds() - start) / 2_000, 254))
      }
      guard case .exited(let halves) = child.wait() else { return Int32.max }
      return halves * 2
    }.min()
    let microseconds = try #require(best)
    #expect(microseconds < 300)
  }
}

private func nanoseconds() -> Int {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// glibc writes what it found to descriptor 2; the tests' output has no use for it.
private func silenceErrors() { close(2) }

/// Runs a closure in a thread and gives its result, or 100 + the error.
@discardableResult
private func startThread(_ body: @escaping () -> Int32 = { 0 }) -> Int32 {
  final class Work {
    let body: () -> Int32
    var result: Int32 = 0
    init(_ body: @escaping () -> Int32) { self.body = body }
  }
  let work = Work(body)
  var thread = pthread_t()
  let error = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      let work = unsafe Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
      work.result = work.body()
      return nil
    }, Unmanaged.passUnretained(work).toOpaque())
  guard error == 0 else { return 100 + error }
  pthread_join(thread, nil)
  return work.result
}

private func contents(of path: String) throws -> String {
  let descriptor = unsafe open(path, O_RDONLY)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 8192)
  let count = unsafe read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
}
