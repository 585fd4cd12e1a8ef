import Coordinator
import Glibc
import Ledger
import RenderModel
import Reporting
import SQLiteLedger
import SystemSupport

/// What commands that audit a library or put it in order have around them: signals, progress, ledger.
struct AuditSession {
  let display: ProgressDisplay
  let access: LibraryAccess
  /// For whoever starts workers.
  let signals: SignalDescriptor
  private let started = BootClock.now()

  /// Seconds since the command began.
  var elapsed: Double { Double(BootClock.now() - started) / 1_000_000_000 }

  /// Blocks SIGTERM and SIGINT from here on: they end the command in good order.
  init(
    output: HostPath, state: HostPath?, progress: RenderOptions.ProgressStyle,
    environment: [String: String], name: String
  ) throws(SystemError) {
    let display = ProgressDisplay(
      style: ProgressStyle(rawValue: progress.rawValue) ?? .auto, environment: environment)
    let stops: [Int32] = [SIGTERM, SIGINT]
    try SignalDescriptor.block(stops)
    let signals = try SignalDescriptor(signals: stops)
    self.display = display
    self.signals = signals
    access = LibraryAccess(
      outputPath: output.bytes, statePath: state?.bytes,
      openLedger: { state throws(LedgerError) in
        try SQLiteLedger.open(in: state) { display.note($0) }
      },
      onNote: { display.note($0) }, isStopped: { signals.isPending })
    display.start(run: name)
  }

  /// Says why a command did not do its work.
  func refuse(_ refusal: LedgerAccess.Refusal) -> ExitStatus {
    for line in refusal.words.split(separator: "\n") { display.say("minilab: \(line)") }
    return refusal.status
  }
}

/// The flags that these commands share.
enum AuditFlags {
  enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  static let output = Flag(
    "output", .directory(), group: .work, "The output folder of the runs that are meant",
    isRequired: true, environment: true)
  static let state = Flag(
    "state", .directory(), group: .machine, "Their folder of journals, ledger, staging and lock",
    standard: "OUTPUT/.minilab", environment: true)
  static let library = Flag(
    "library", .directory(), group: .work,
    "The folder that assets are found beneath, in place of the manifest's own", environment: true)
  static let workers = Flag(
    "workers", .count(from: 1), group: .machine, "How many files are read side by side",
    standard: "what the machine grants, see 'minilab doctor'", environment: true)
  static let progress = Flag(
    "progress", ValueForm<RenderOptions.ProgressStyle>.choice(), group: .reporting,
    "How progress is shown on standard error", standard: "auto", environment: true)
  static let format = Flag(
    "format", ValueForm<Format>.choice(), group: .reporting,
    "Text for a person, or for a program one JSON object a line", standard: "text")
}
