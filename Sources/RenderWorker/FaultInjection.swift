import Glibc
import RenderModel
import SystemSupport
import WorkerProtocol

/// Misbehaves as a broken or hostile codec could; reachable only in a worker started for tests.
enum FaultInjection {
  /// Hang and spin strike here and now; the others from a thread, in the middle of the rendering.
  static func arm(_ fault: InjectedFault, outputs: [Int32]) {
    switch fault.kind {
    case .hang:
      pause(milliseconds: fault.afterMilliseconds)
      while true { pause(milliseconds: 60_000) }
    case .spin:
      pause(milliseconds: fault.afterMilliseconds)
      // Reading a clock is what the optimiser cannot leave out.
      while BootClock.now() != 0 {}
    case .stop, .memoryGrowth, .abort, .forbiddenCall, .outputGrowth, .segmentationFault:
      _ = Threads.start(name: "fault") {
        pause(milliseconds: fault.afterMilliseconds)
        strike(fault.kind, outputs)
      }
      // The rendering must not win the race against the fault.
      while true { pause(milliseconds: 60_000) }
    case .falseClaim, .cutOutput: break
    }
  }

  /// Lies about what was rendered.
  static func falsify(_ result: inout RenderResult, _ fault: InjectedFault, outputs: [Int32]) {
    guard let output = outputs.first, !result.outputs.isEmpty else { return }
    switch fault.kind {
    case .falseClaim: result.outputs[0].width += 1
    case .cutOutput:
      result.outputs[0].bytes = result.outputs[0].bytes / 3 * 2
      _ = ftruncate(output, off_t(result.outputs[0].bytes))
    default: break
    }
  }

  private static func strike(_ kind: InjectedFault.Kind, _ outputs: [Int32]) {
    switch kind {
    case .stop: raise(SIGSTOP)
    case .abort: abort()
    case .forbiddenCall: _ = unsafe execv("/bin/true", [nil])
    case .segmentationFault:
      unsafe UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
    case .memoryGrowth: growMemory()
    case .outputGrowth: growOutput(outputs.first ?? -1)
    case .hang, .spin, .falseClaim, .cutOutput: break
    }
  }

  /// Takes memory as a C++ codec does: an allocation that fails ends the process.
  private static func growMemory() {
    let piece = 16 << 20
    // mmap and not malloc: what is allocated and never used the optimiser leaves out.
    while true {
      let block = unsafe mmap(
        nil, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let block = unsafe block, UInt(bitPattern: block) != UInt.max else { break }
      unsafe memset(block, 1, piece)
    }
    WorkerMain.complain("terminate called after throwing an instance of 'std::bad_alloc'")
    abort()
  }

  private static func growOutput(_ descriptor: Int32) {
    let block = [UInt8](repeating: 0, count: 1 << 20)
    while unsafe write(descriptor, block, block.count) > 0 {}
    WorkerMain.complain("\(SystemError(operation: "write", errno: errno))")
    _exit(1)
  }

  private static func pause(milliseconds: Int) {
    _ = poll(nil, 0, Int32(clamping: milliseconds))
  }
}
