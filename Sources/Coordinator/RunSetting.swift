import Ledger
import RenderModel
import Synchronization
import SystemSupport
import WorkerPool
import WorkerProtocol

/// What stays the same for a whole run and every part of the coordinator needs.
final class RunSetting: Sendable {
  let run: String
  let library: Directory
  let output: Directory
  let staging: Directory
  let ledger: any Ledger
  let recorder: LedgerRecorder
  private let overlap: LibraryOverlap
  let lateNames: LateNames
  let caseInsensitive: Bool
  let outputBytes: Int
  /// nil: nobody watches whether the folders stay where they are.
  let places: PlaceWatch?
  private let worker = Mutex<WorkerDescription?>(nil)
  private let stop = Mutex<RenderFailure?>(nil)
  private let stopFlag = Atomic(false)
  let inbox: PoolInbox

  init(
    run: String, library: Directory, output: Directory, staging: Directory, ledger: any Ledger,
    recorder: LedgerRecorder? = nil, overlap: LibraryOverlap, lateNames: LateNames = LateNames(),
    caseInsensitive: Bool,
    outputBytes: Int, places: PlaceWatch? = nil, inbox: PoolInbox
  ) {
    self.run = run
    self.library = library
    self.output = output
    self.staging = staging
    self.ledger = ledger
    self.recorder = recorder ?? LedgerRecorder(ledger, run: run)
    self.overlap = overlap
    self.lateNames = lateNames
    self.caseInsensitive = caseInsensitive
    self.outputBytes = outputBytes
    self.places = places
    self.inbox = inbox
  }

  func workerIsReady(_ description: WorkerDescription) {
    worker.withLock { $0 = description }
  }

  var workerDescription: WorkerDescription? { worker.withLock { $0 } }

  /// Later jobs would fail as this one did: no more are taken, and the run says why.
  func stopFor(_ failure: RenderFailure) {
    let first = stop.withLock { stop in
      defer { stop = stop ?? failure }
      return stop == nil
    }
    signalStop()
    if first { inbox.stop(.drain) }
  }

  /// Without what is known of them no further jobs can be decided; they go back.
  func ledgerFailed(_ error: LedgerError) {
    recorder.tellOnce("\(error); no more jobs are taken")
    signalStop()
    inbox.stop(.drain)
  }

  /// Whether no further job is taken: by a signal or because later jobs would fail as well.
  var isStopping: Bool { stopFlag.load(ordering: .relaxed) }

  func signalStop() { stopFlag.store(true, ordering: .relaxed) }

  /// What stopped the run, other than a signal.
  var stopCause: RenderFailure? { stop.withLock { $0 } }

  /// Whether a file that has an output's name may be an original of the library.
  func mayHoldOriginals(_ folder: RelativePath) -> Bool {
    switch overlap {
    case .nowhere: return false
    case .everywhere: return true
    case .inLibrary:
      if folder.bytes.isEmpty { return output.isBeneath(library) }
      return (try? output.openDirectory(folder.bytes))?.isBeneath(library) ?? true
    }
  }

  /// Copies a sealed output into the staging folder; the length is checked.
  func stage(_ descriptor: OwnedDescriptor, _ bytes: Int, as name: [UInt8]) throws(SystemError) {
    try? staging.remove(name)
    let file = try staging.openBeneath(name, flags: FileFlags.createNew, mode: 0o666)
    try FileTransfer.copy(from: descriptor, to: file, count: Int64(bytes))
  }

  func stage(_ bytes: [UInt8], as name: [UInt8]) throws(SystemError) {
    try? staging.remove(name)
    let file = try staging.openBeneath(name, flags: FileFlags.createNew, mode: 0o666)
    try FileTransfer.writeAll(file, bytes)
  }

  /// Makes staged files durable: one by one when they are few, else the whole file system at once.
  func synchronizeStaging(_ names: [[UInt8]]) throws(SystemError) {
    if names.count > 4 {
      try FileTransfer.synchronizeFileSystem(staging.descriptor)
      return
    }
    for name in names {
      try FileTransfer.synchronize(try staging.openBeneath(name, flags: FileFlags.read))
    }
  }
}
