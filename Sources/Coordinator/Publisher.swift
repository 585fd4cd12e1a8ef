import Digest
import Journal
import Ledger
import RenderModel
import Reporting
import SystemSupport
import WorkerPool

/// Publishes the outputs of finished jobs, a group at a time, and writes their reports.
///
/// It alone writes the journal, on one thread: staged and synced → intents synced → names →
/// directories synced → reports synced.
final class Publisher {
  let setting: RunSetting
  let journal: JournalWriter
  let jobs: JobTable
  let progress: RunProgress
  /// Directories beneath the output root that are known to be there.
  private var directories: [RelativePath: Directory] = [:]
  /// Names of the group that is being prepared: none of them is on disk yet.
  private var groupNames: Set<OutputName.CollisionKey> = []

  /// A group is what is there, up to so many jobs.
  private static let largestGroup = 64
  /// How long a group may wait for company, in nanoseconds: jobs in a group share their syncs.
  private static let patience: UInt64 = 300_000_000

  init(
    setting: RunSetting, journal: JournalWriter, jobs: JobTable, progress: RunProgress
  ) {
    self.setting = setting
    self.journal = journal
    self.jobs = jobs
    self.progress = progress
  }

  /// Works until the queue is closed and empty; throws when the journal cannot be written.
  func run(_ queue: BoundedQueue<Completion>) throws {
    while true {
      let group = queue.popAll(max: Self.largestGroup, patience: Self.patience)
      if group.isEmpty { break }
      try publish(group)
    }
    // What the pool ended without is back in the queue, and accounted for.
    let left = jobs.takeAll().map { context in
      Completion.settled(
        context, Outcome(.cancelled, detail: "the workers ended before it was done"))
    }
    if !left.isEmpty { try publish(left) }
  }

  private func publish(_ group: [Completion]) throws {
    let started = BootClock.now()
    groupNames.removeAll(keepingCapacity: true)
    var sets = group.compactMap(prepare)
    synchronizeStaged(&sets)
    try checkPlaces(&sets)
    try writeIntents(sets)
    var touched: [RelativePath: Directory] = [:]
    for index in sets.indices { rename(&sets[index], &touched) }
    let renamed = BootClock.now()
    for directory in touched.values { try directory.synchronize() }
    if !touched.isEmpty { OutputSettling.wait(since: renamed) }
    for index in sets.indices { OutputSettling.confirm(&sets[index].report, in: setting.output) }
    let elapsed = Double(BootClock.now() - started) / 1_000_000
    for index in sets.indices { finish(&sets[index], publishTime: elapsed) }
    try journal.append(sets.map { .report($0.report) })
    try journal.synchronize()
    setting.recorder.record(sets.map(\.report), upTo: journal.length)
    for set in sets { settle(set) }
  }

  // MARK: - Preparing

  private func prepare(_ completion: Completion) -> PublicationSet? {
    switch completion {
    case .settled(let context, let outcome):
      return PublicationSet(
        token: context.token, context: context,
        report: setting.report(context, outcome: outcome, attempt: 1))
    case .finished(let finished):
      guard let context = jobs.take(finished.token) else { return nil }
      var set = PublicationSet(
        token: finished.token, context: context,
        report: setting.report(context, finished: finished.outcome))
      switch finished.outcome.verdict {
      case .rendered(let result):
        if let failure = changedInput(set) ?? stage(&set, result, finished.outputs) {
          set.fail(failure)
        }
      case .failed, .timedOut:
        // What was wrong with bytes that changed meanwhile says nothing of the file.
        if let failure = changedInput(set) { set.fail(failure) }
      case .header, .probed, .cancelled: break
      }
      return set
    }
  }

  /// The failure of a file that the process read in place and that is another now.
  private func changedInput(_ set: PublicationSet) -> RenderFailure? {
    for file in set.context.sharedFiles
    where (try? FileStatus(of: file.descriptor).isUnchanged(since: file.status)) != true {
      return RenderFailure(
        code: .inputChanged, stage: .verify,
        detail: "the file \(file.path.displayed) of a filter changed while it was rendered with")
    }
    guard let shared = set.context.sharedOriginal, let before = set.context.sourceStatus,
      (try? FileStatus(of: shared).isUnchanged(since: before)) != true
    else { return nil }
    return RenderFailure(
      code: .inputChanged, stage: .verify, detail: "the original changed while it was rendered")
  }

  /// Seals, verifies, names and copies the outputs; the failure that makes the set unpublishable.
  private func stage(
    _ set: inout PublicationSet, _ result: RenderResult, _ outputs: [OwnedDescriptor]
  ) -> RenderFailure? {
    guard outputs.count == result.outputs.count,
      result.outputs.count == set.context.job.outputs.count
    else {
      return RenderFailure(
        code: .internal, stage: .verify, detail: "not every rendition was delivered")
    }
    for (index, claimed) in result.outputs.enumerated() {
      switch stage(&set, index, claimed, outputs[index]) {
      case .success(let entry): set.entries.append(entry)
      case .failure(let failure): return failure
      }
    }
    return stageReport(&set)
  }

  /// The report file beside the renders is one more name of the set, put in place last.
  ///
  /// It is the journal's report but for what is known only after the set has its names: the
  /// identities of the files and the time that publishing took.
  private func stageReport(_ set: inout PublicationSet) -> RenderFailure? {
    guard let template = set.context.job.reportTemplate else { return nil }
    let path: RelativePath
    switch template.path(set.context.reportTemplateValues) {
    case .success(let value): path = value
    case .failure(let failure): return PublishFailure.failure(for: failure)
    }
    if let conflict = conflict(path, template, set.context) { return conflict }
    set.report.finished = WallClock.iso8601(WallClock.now())
    set.report.reportFile = JobReport.ReportFile(path: path)
    let staged = Array("\(set.token)-report".utf8)
    do throws(SystemError) {
      let bytes = Array(((try? ReportText.pretty(set.report)) ?? "").utf8)
      try setting.stage(bytes, as: staged)
      set.entries.append(
        PublicationSet.Entry(
          rendition: nil, path: path, staged: staged, sha256: SHA256Value.of(bytes).hex,
          bytes: bytes.count))
    } catch {
      try? setting.staging.remove(staged)
      return PublishFailure.failure(for: error, path: path)
    }
    return nil
  }

  private func stage(
    _ set: inout PublicationSet, _ index: Int, _ claimed: RenderResult.Output,
    _ descriptor: OwnedDescriptor
  ) -> Result<PublicationSet.Entry, RenderFailure> {
    let output = set.context.job.outputs[index]
    guard claimed.type == output.rendition.type else {
      return .failure(
        RenderFailure(
          code: .internal, stage: .verify, detail: "an output is not of the type asked for"))
    }
    let verified: VerifiedOutput
    switch OutputVerification.verify(descriptor, claimed: claimed, limit: setting.outputBytes) {
    case .success(let value): verified = value
    case .failure(let failure): return .failure(failure)
    }
    let values = set.context.templateValues(output.rendition, claimed)
    let path: RelativePath
    switch output.template.path(values) {
    case .success(let value): path = value
    case .failure(let failure): return .failure(PublishFailure.failure(for: failure))
    }
    if let conflict = conflict(path, output.template, set.context) { return .failure(conflict) }
    let staged = Array("\(set.token)-\(index)".utf8)
    do {
      try setting.stage(verified.descriptor, verified.bytes, as: staged)
    } catch {
      // A part of it may be there, and hold the last of a full disk.
      try? setting.staging.remove(staged)
      return .failure(PublishFailure.failure(for: error, path: path))
    }
    set.report.renditions.append(
      JobReport.RenditionEntry(
        name: claimed.name, path: path, type: claimed.type.rawValue, bytes: verified.bytes,
        sha256: verified.sha256, width: claimed.width, height: claimed.height,
        profile: claimed.profile, bitDepth: claimed.bitDepth, quality: claimed.quality,
        pixelDigest: claimed.pixelDigest))
    return .success(
      PublicationSet.Entry(
        rendition: claimed.name, path: path, staged: staged, sha256: verified.sha256,
        bytes: verified.bytes))
  }

  /// Why this name may not be taken; nil when it may.
  private func conflict(_ path: RelativePath, _ template: OutputTemplate, _ context: JobContext)
    -> RenderFailure?
  {
    func refuse(_ words: String) -> RenderFailure {
      RenderFailure(
        code: .outputConflict, stage: .publish, detail: "\(path.displayed): \(words)")
    }
    let key = OutputName.collisionKey(path, caseInsensitive: setting.caseInsensitive)
    let isNew = groupNames.insert(key).inserted
    let isLate = !template.isKnownBefore
    if isLate ? !(setting.lateNames.take(key) && isNew) : setting.lateNames.contain(key) {
      return refuse(Self.isTaken)
    }
    let there: FileStatus?
    do {
      there = try setting.output.status(path.bytes)
    } catch {
      return error.errno == 2 ? nil : PublishFailure.failure(for: error, path: path)
    }
    guard let there else { return nil }
    if there.kind != .regular { return refuse("a folder, link or special file has this name") }
    if let source = context.sourceStatus, source.inode == there.inode, source.device == there.device
    {
      return refuse("this is the original; originals are never replaced")
    }
    if isLate, setting.lateNames.isOfThisRun(there) { return refuse(Self.isTaken) }
    guard setting.mayHoldOriginals(path.directory) else { return nil }
    do throws(LedgerError) {
      if try isOwn(path, context) { return nil }
    } catch {
      return RenderFailure(code: .internal, stage: .publish, detail: "\(error)")
    }
    return refuse("it is in the library and this file was not written by Minilab")
  }

  private static let isTaken = "another job of this run has the same output name"

  /// Whether this job's last render, or the report file that went with it, is what has the name.
  private func isOwn(
    _ path: RelativePath, _ context: JobContext
  ) throws(LedgerError) -> Bool {
    let entry = try setting.ledger.lookUp(context.job.id)
    return entry?.reportFile == path || entry?.outputs.contains { $0.path == path } == true
  }

  // MARK: - Publishing

  private func synchronizeStaged(_ sets: inout [PublicationSet]) {
    let count = sets.reduce(0) { $0 + $1.entries.count }
    guard count > 0 else { return }
    do {
      try setting.synchronizeStaging(sets.flatMap { $0.entries.map(\.staged) })
    } catch {
      for index in sets.indices where !sets[index].entries.isEmpty {
        sets[index].fail(
          PublishFailure.failure(for: error, path: sets[index].entries[0].path))
      }
    }
  }

  /// What was staged in a folder that is not there any more gets no name; without the state folder
  /// nothing can be reported.
  private func checkPlaces(_ sets: inout [PublicationSet]) throws {
    switch setting.places?.fault() {
    case nil: return
    case .state(let words): throw JournalError(.folder, words)
    case .output(let words):
      for index in sets.indices where !sets[index].entries.isEmpty && sets[index].failure == nil {
        sets[index].fail(RenderFailure(code: .outputUnwritable, stage: .publish, detail: words))
      }
    }
  }

  private func writeIntents(_ sets: [PublicationSet]) throws {
    let lines = sets.filter { $0.failure == nil && !$0.entries.isEmpty }.map { set in
      JournalLine.intent(
        Intent(
          names: set.entries.map {
            Intent.Name(
              rendition: $0.rendition, path: $0.path,
              staged: String(decoding: $0.staged, as: UTF8.self),
              sha256: $0.sha256, bytes: $0.bytes)
          }, report: set.report))
    }
    if lines.isEmpty { return }
    try journal.append(lines)
    try journal.synchronize()
  }

  private func rename(_ set: inout PublicationSet, _ touched: inout [RelativePath: Directory]) {
    guard set.failure == nil else { return }
    for entry in set.entries {
      do {
        let directory = try rename(entry)
        touched[entry.path.directory] = directory
        let status = try directory.status(entry.path.lastComponent)
        setting.lateNames.wrote(status)
        if let index = set.report.renditions.firstIndex(where: { $0.name == entry.rendition }) {
          set.report.renditions[index].identity = status?.identity
        }
      } catch {
        set.fail(PublishFailure.failure(for: error, path: entry.path))
        return
      }
    }
  }

  /// Gives the folder that the name is in, made again when somebody deleted it meanwhile.
  private func rename(_ entry: PublicationSet.Entry) throws(SystemError) -> Directory {
    do {
      let directory = try directory(entry.path.directory)
      try setting.staging.rename(entry.staged, to: directory, entry.path.lastComponent)
      return directory
    } catch  where error.isNotFound && !entry.path.directory.bytes.isEmpty {
      directories.removeAll()
      let directory = try directory(entry.path.directory)
      try setting.staging.rename(entry.staged, to: directory, entry.path.lastComponent)
      return directory
    }
  }

  private func directory(_ path: RelativePath) throws(SystemError) -> Directory {
    if let known = directories[path] { return known }
    let opened =
      path.bytes.isEmpty ? setting.output : try setting.output.makeDirectories(path.bytes)
    if directories.count > 512 { directories.removeAll() }
    directories[path] = opened
    return opened
  }

  private func finish(_ set: inout PublicationSet, publishTime: Double) {
    set.report.timings.publish = publishTime
    set.report.timings.total = Double(BootClock.now() - set.context.taken) / 1_000_000
    set.report.finished = WallClock.iso8601(WallClock.now())
  }

  /// After the report is durable: the room is free, the ledger and the progress know.
  private func settle(_ set: PublicationSet) {
    if set.failure != nil {
      for entry in set.entries { try? setting.staging.remove(entry.staged) }
    }
    if let cause = PublishFailure.stopCause(set.report.outcome) { setting.stopFor(cause) }
    setting.inbox.published(set.token)
    progress.completed(set.report)
  }
}

extension PublicationSet {
  /// The set is given up: the report says why and lists nothing as written that was not.
  mutating func fail(_ failure: RenderFailure) {
    self.failure = failure
    report.outcome = JobReport.OutcomeEntry(.failed(failure))
    report.renditions.removeAll { $0.identity == nil }
    report.reportFile = nil
  }
}
