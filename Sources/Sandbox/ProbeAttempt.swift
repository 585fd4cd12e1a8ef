internal import Glibc

/// Something that a sealed process must not be able to do.
package enum ProbeAttempt: String, Sendable, CaseIterable {
  // Files
  case readFile, createFile, createNamelessFile, openDirectory, openOwnMemory, statPath
  case statEmptyPath, extendedStat, readLink, unlinkFile, makeDirectory, renameFile, symlinkFile
  case truncateFile, changeMode, changeDirectory
  // Network
  case tcpConnect, tcpListen, udpSend, unixConnect, multipathTCP, socketPair
  // Other processes
  case signalParentZero, signalParent, signalStranger, signalThreadOfStranger, queueSignal
  case fork, vfork, cloneProcess, cloneNamespace, cloneByRecord, execute, trace
  case readStrangersMemory, openStranger, limitStranger, scheduleStranger, ownDescriptorForStranger
  // Memory
  case memoryFile, mapExecutable, protectExecutable, protectExecutableByKey
  // The kernel
  case raiseHardLimit, setDumpable, clearDeathSignal, unshare, mount, ioUring, bpf,
    performanceEvents
  case keyring, userFault, changeUser, loadSecondFilter, x32Call, foreignEntry
}

/// What came of an attempt.
package enum ProbeOutcome: Sendable, Equatable {
  case succeeded
  case refused(errno: Int32)
  case signalled(Int32)
  /// The process could not be started or sealed, or ended in some other way.
  case unclear

  package static let violation = ProbeOutcome.signalled(SIGSYS)

  init(_ ending: ForkedChild.Ending) {
    switch ending {
    case .exited(0): self = .succeeded
    case .exited(SandboxProbe.notSealed), .failed: self = .unclear
    case .exited(let errno): self = .refused(errno: errno)
    case .signalled(let signal): self = .signalled(signal)
    }
  }
}

extension ProbeAttempt {
  /// The answer under `SandboxPolicy.job`.
  ///
  /// Written down apart from the call list, so that a slip there shows.
  package var expected: ProbeOutcome {
    switch self {
    case .readFile, .createFile, .createNamelessFile, .openDirectory, .openOwnMemory, .statPath,
      .statEmptyPath, .extendedStat, .readLink, .unlinkFile, .makeDirectory, .tcpConnect,
      .tcpListen, .udpSend, .unixConnect, .multipathTCP, .mapExecutable, .protectExecutable:
      .refused(errno: EACCES)
    case .limitStranger, .scheduleStranger, .ownDescriptorForStranger, .raiseHardLimit,
      .setDumpable, .clearDeathSignal:
      .refused(errno: EPERM)
    case .cloneByRecord: .refused(errno: ENOSYS)
    case .renameFile, .symlinkFile, .truncateFile, .changeMode, .changeDirectory, .socketPair,
      .signalParentZero, .signalParent, .signalStranger, .signalThreadOfStranger, .queueSignal,
      .fork, .vfork, .cloneProcess, .cloneNamespace, .execute, .trace, .readStrangersMemory,
      .openStranger, .memoryFile, .protectExecutableByKey, .unshare, .mount, .ioUring, .bpf,
      .performanceEvents, .keyring, .userFault, .changeUser, .loadSecondFilter, .x32Call,
      .foreignEntry:
      .violation
    }
  }
}
