import Coordinator
import Glibc
import Ledger
import RenderModel
import SQLiteLedger
import SystemSupport
import Testing
import WorkerPool

/// Where a test's runs keep what they know.
enum LedgerKind: String, CaseIterable, CustomTestStringConvertible {
  /// Made anew from the journals by each run.
  case memory
  case file
  var testDescription: String { rawValue }
}

extension RenderScene {
  /// Carries the manifest out in this process, with a worker that can be told to misbehave.
  ///
  /// The engine is a made-up one, so that a test can change it.
  func run(
    _ ledger: LedgerKind = .file, _ change: (inout RunConfiguration) -> Void = { _ in }
  ) throws -> RunSummary {
    var configuration = RunConfiguration(
      manifestPaths: [folder.path + "/" + manifest], outputPath: Array(output.utf8),
      pool: PoolConfiguration(slots: 2, memoryBudget: 1 << 30),
      worker: WorkerSettings(
        programPath: BuiltPrograms.worker, arguments: ["--zygote", "--allow-faults"]))
    if ledger == .file {
      configuration.openLedger = { state throws(LedgerError) in
        try SQLiteLedger.open(in: state)
      }
    }
    change(&configuration)
    var end = RunCoordinator(configuration).perform(signals: nil)
    // A program that another test is just starting has a copy of our lock until it runs.
    for _ in 0..<100 where Self.isHeld(end) {
      usleep(50_000)
      end = RunCoordinator(configuration).perform(signals: nil)
    }
    guard case .finished(let summary) = end else {
      throw RunRecord.Flaw(words: "\(end)")
    }
    return summary
  }

  private static func isHeld(_ end: RunEnd) -> Bool {
    if case .refused(.configuration, let words) = end { return words.contains("another run holds") }
    return false
  }
}
