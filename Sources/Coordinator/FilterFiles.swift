import Digest
import Glibc
import Ledger
import RenderModel
import Synchronization
import SystemSupport
import WorkerProtocol

/// The files that filters read, each opened read-only beneath the library and read once a run.
///
/// What is in them stays between jobs as sealed copies, so that what was digested is what is used.
final class FilterFiles: Sendable {
  /// A file that a record names, open and not read yet.
  struct Found: Sendable {
    /// Beneath the library.
    var path: RelativePath
    /// Its name in the plan.
    var name: String
    var descriptor: OwnedDescriptor
    var status: FileStatus
    /// Nanoseconds since 1970, read before anything of the file was.
    var opened: Int64
  }

  /// A file that was digested, and a descriptor of it for one job.
  struct Ready: Sendable {
    var found: Found
    var sha256: String
    /// Of a sealed copy, or the file itself when it is large; its position is this job's own.
    var descriptor: OwnedDescriptor
    /// Whether it is the file itself, so that it has to be looked at again afterwards.
    var isShared: Bool
  }

  /// Larger files are refused, in bytes.
  static let largestFile: Int64 = 256 << 20

  /// How old the last change of a file must be for its digest to be known by its times, in
  /// nanoseconds: longer than the coarsest times of files (2 s on FAT).
  static let restingTime: Int64 = 3_000_000_000

  let library: Directory
  private let cache: Mutex<FilterFileCache>
  /// Nanoseconds since 1970.
  let clock: @Sendable () -> Int64

  /// `clock` is replaced in tests, since no file can be given an old time of change.
  init(
    library: Directory, cache: FilterFileCache = FilterFileCache(),
    clock: @escaping @Sendable () -> Int64 = WallClock.now
  ) {
    self.library = library
    self.cache = Mutex(cache)
    self.clock = clock
  }

  // MARK: - Reading

  func read(_ found: Found) -> Result<Ready, RenderFailure> {
    let known = cache.withLock { $0.take(found) }
    do {
      if let known { return .success(try ready(found, known)) }
      let isCopied = found.status.size <= OriginalReader.largestCopy
      guard
        let copy = try SealedCopy.read(
          found.descriptor, found.status, copyNamed: isCopied ? "filter-file" : nil)
      else {
        return refuse(.inputChanged, found.path, "changed while it was read")
      }
      // Only the time of change is looked at: that of modification can be set to anything.
      let (age, overflow) = found.opened.subtractingReportingOverflow(found.status.changed)
      if !overflow, age >= Self.restingTime { cache.withLock { $0.keep(copy, of: found) } }
      return .success(try ready(found, copy))
    } catch {
      let isOurs = [ENOMEM, ENOSPC, EMFILE, ENFILE].contains(error.errno)
      return refuse(
        isOurs ? .internal : .invalidAdjustment, found.path, "cannot be read: \(error)")
    }
  }

  /// Gives the job a descriptor with a position of its own.
  private func ready(_ found: Found, _ copy: SealedCopy) throws(SystemError) -> Ready {
    guard let sealed = copy.descriptor else {
      lseek(found.descriptor.rawValue, 0, SEEK_SET)
      return Ready(
        found: found, sha256: copy.sha256, descriptor: found.descriptor, isShared: true)
    }
    let own = try OwnedDescriptor.open(
      path: "/proc/self/fd/\(sealed.rawValue)", flags: FileFlags.read)
    return Ready(found: found, sha256: copy.sha256, descriptor: own, isShared: false)
  }

  private func refuse<Success>(_ code: FailureCode, _ path: RelativePath, _ words: String)
    -> Result<Success, RenderFailure>
  {
    .failure(
      RenderFailure(
        code: code, stage: .intake, detail: "the file \(path.displayed) of a filter \(words)"))
  }
}

/// Digests and copies of files that filters read, by path, as many as there is room for.
struct FilterFileCache: Sendable {
  private struct Known {
    var status: FileStatus
    var copy: SealedCopy
    var lastUse: UInt64
  }

  /// Of all copies together.
  private let bytes: Int64
  private let count: Int
  private var known: [RelativePath: Known] = [:]
  private var uses: UInt64 = 0

  init(bytes: Int64 = 256 << 20, count: Int = 128) {
    self.bytes = bytes
    self.count = count
  }

  /// nil when the file is not known, or is another by now.
  mutating func take(_ found: FilterFiles.Found) -> SealedCopy? {
    guard let entry = known[found.path], entry.status.isUnchanged(since: found.status) else {
      return nil
    }
    uses += 1
    known[found.path]?.lastUse = uses
    return entry.copy
  }

  /// Lets go of what was not used for longest; the jobs that have it keep it.
  mutating func keep(_ copy: SealedCopy, of found: FilterFiles.Found) {
    uses += 1
    known[found.path] = Known(status: found.status, copy: copy, lastUse: uses)
    while known.count > count || (known.count > 1 && held > bytes) {
      guard let oldest = known.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
      known[oldest.key] = nil
    }
  }

  private var held: Int64 {
    known.values.reduce(0) { $0 + ($1.copy.descriptor == nil ? 0 : $1.status.size) }
  }
}
