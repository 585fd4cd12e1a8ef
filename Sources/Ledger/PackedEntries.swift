/// Entries as packed bytes in chunks, found through an index of hashes.
///
/// As Swift values an entry would cost about 1.5 kB: every digest and path is an allocation.
struct PackedEntries: Sendable {
  private struct Location {
    var chunk: UInt32
    var offset: UInt32
  }

  private static let chunkSize = 1 << 18

  private var chunks: [[UInt8]] = []
  private var index: [UInt64: Location] = [:]
  /// Entries whose hash is another's; practically always empty.
  private var collided: [[UInt8]: Location] = [:]
  private var names = InternedNames()
  private let hash: @Sendable ([UInt8]) -> UInt64

  private var liveBytes = 0
  private var storedBytes = 0

  init(hash: @escaping @Sendable ([UInt8]) -> UInt64) {
    self.hash = hash
  }

  /// FNV-1a, 64 bits.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The ids of all entries, in no order.
  var jobs: [[UInt8]] { (Array(index.values) + Array(collided.values)).map { job(at: $0) } }

  var count: Int { index.count + collided.count }

  var footprint: Int {
    chunks.reduce(0) { $0 + $1.capacity } + index.capacity * (16 + 1) + collided.capacity * 64
  }

  func entry(_ job: String) -> LedgerEntry? {
    guard let location = find(Array(job.utf8)) else { return nil }
    var reader = PackedReader(record(at: location))
    return LedgerEntry(from: &reader, names)
  }

  mutating func store(_ entry: LedgerEntry) {
    let job = Array(entry.job.utf8)
    var writer = PackedWriter()
    entry.write(to: &writer, &names)
    if let old = find(job) { liveBytes -= size(at: old) }
    let location = append(writer.bytes)
    liveBytes += writer.bytes.count
    place(job, location)
    if storedBytes > 2 * liveBytes + Self.chunkSize { compact() }
  }

  private func find(_ job: [UInt8]) -> Location? {
    guard let first = index[hash(job)] else { return nil }
    return self.job(at: first) == job ? first : collided[job]
  }

  private mutating func place(_ job: [UInt8], _ location: Location) {
    let key = hash(job)
    if let first = index[key], self.job(at: first) != job {
      collided[job] = location
    } else {
      index[key] = location
    }
  }

  /// Every record is its length in four bytes and then its bytes, which begin with the job's id.
  private mutating func append(_ bytes: [UInt8]) -> Location {
    let needed = bytes.count + 4
    if chunks.last.map({ $0.count + needed > $0.capacity }) ?? true {
      var chunk: [UInt8] = []
      chunk.reserveCapacity(max(Self.chunkSize, needed))
      chunks.append(chunk)
    }
    let last = chunks.count - 1
    let location = Location(chunk: UInt32(last), offset: UInt32(chunks[last].count))
    let length = UInt32(bytes.count)
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      chunks[last].append(UInt8(truncatingIfNeeded: length >> shift))
    }
    chunks[last] += bytes
    storedBytes += bytes.count
    return location
  }

  private func size(at location: Location) -> Int {
    let start = Int(location.offset)
    return chunks[Int(location.chunk)][start..<(start + 4)].reversed()
      .reduce(0) { $0 << 8 | Int($1) }
  }

  private func record(at location: Location) -> ArraySlice<UInt8> {
    let start = Int(location.offset) + 4
    return chunks[Int(location.chunk)][start..<(start + size(at: location))]
  }

  private func job(at location: Location) -> [UInt8] {
    var reader = PackedReader(record(at: location))
    return Array(reader.blob())
  }

  /// Copies what is alive; replaced entries are what most of a long-lived ledger would hold.
  private mutating func compact() {
    let old = self
    chunks = []
    storedBytes = 0
    for (key, location) in old.index { index[key] = append(Array(old.record(at: location))) }
    for (job, location) in old.collided {
      collided[job] = append(Array(old.record(at: location)))
    }
  }
}
