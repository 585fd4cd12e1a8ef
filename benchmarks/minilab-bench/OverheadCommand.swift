import Glibc
import JSONText
import SystemSupport

/// The pool with everything on against the same renderer in a bare loop, taking turns.
struct OverheadCommand {
  private let corpus: String
  private let work: String
  private let jobs: Int
  private let rounds: Int
  private let cpus = HostResources.detect().cpus

  init(_ arguments: BenchArguments) throws {
    corpus = try arguments.text("corpus")
    work = try arguments.text("work")
    jobs = try arguments.number("jobs", default: 200)
    rounds = try arguments.number("rounds", default: 5)
  }

  func run() throws {
    let folder = try Directory(path: work, creating: true)
    let photos = try Directory(path: corpus).entries().map {
      String(decoding: $0.name, as: UTF8.self)
    }.filter { $0.hasSuffix(".jpg") }.sorted()
    guard !photos.isEmpty else { throw BenchFailure("\(corpus) has no photos") }
    try ManifestText.write(
      folder, library: corpus, rendition: BenchJob.json,
      lines: (0..<jobs).map { ("job-\($0)", photos[$0 % photos.count]) })

    let load = MachineLoad.current().map { TableText.number($0) } ?? "unknown"
    print("\(jobs) jobs, \(photos.count) photos, \(cpus) processors, load before: \(load)")
    var pool: [PoolMeasurement] = []
    var loop: [Measurement] = []
    // The first of each only fills the caches. Turns are swapped, so that neither gains by its place.
    for round in 0...rounds {
      let first = round.isMultiple(of: 2) ? try runPool(round) : nil
      let bare = try runLoop(photos, round)
      let pooled = try first ?? runPool(round)
      print(
        "\(round == 0 ? "warm-up" : "round \(round)"): loop "
          + "\(TableText.number(bare.wall)) s, pool \(TableText.number(pooled.run.wall)) s")
      if round == 0 { continue }
      loop.append(bare)
      pool.append(pooled)
    }
    let digests = try DigestCost.seconds(
      of: (0..<jobs).map { "\(corpus)/\(photos[$0 % photos.count])" }
        + pool[0].outputs.map { "\(work)/\($0)" })
    let table = OverheadTable(jobs: jobs, cpus: cpus, loop: loop, pool: pool, digests: digests)
    print(table.text)
    if table.share < OverheadTable.wanted {
      throw BenchFailure("less than \(TableText.number(100 * OverheadTable.wanted, 0)) %")
    }
  }

  // Every run writes into a folder of its own: a file system gives numbers of removed files again only
  // after a search, which would be counted against whoever comes next.

  private func runLoop(_ photos: [String], _ round: Int) throws -> Measurement {
    sync()
    return try MeasuredProgram.run(
      "minilab-bench",
      [
        "loop", "--output", "\(work)/loop-\(round)", "--jobs", "\(jobs)", "--processes", "\(cpus)",
      ] + photos.map { "\(corpus)/\($0)" })
  }

  private func runPool(_ round: Int) throws -> PoolMeasurement {
    sync()
    let run = try MeasuredProgram.run(
      "minilab",
      [
        "render", "\(work)/\(ManifestText.name)", "--output", "\(work)/pool-\(round)",
        "--progress", "none", "--format", "json",
      ])
    return try PoolMeasurement(run, outputs: (0..<jobs).map { "pool-\(round)/job-\($0).jpg" })
  }
}

/// A run of the pool with what its summary says.
struct PoolMeasurement {
  let run: Measurement
  /// Paths of the renders, relative to the work folder.
  let outputs: [String]
  /// Seconds of processor time of the job processes, by their own reports.
  let jobCPU: Double

  init(_ run: Measurement, outputs: [String]) throws {
    self.run = run
    self.outputs = outputs
    let summary = try JSONParser.parse(run.output[...]).value
    guard let totals = summary["totals"], let throughput = summary["throughput"],
      let rendered = totals["rendered"]?.number?.integer,
      let rate = throughput["jobsPerSecond"]?.number?.double,
      let pixels = throughput["megapixelsPerSecond"]?.number?.double,
      let cpu = throughput["cpuSecondsPerMegapixel"]?.number?.double, rate > 0
    else { throw BenchFailure("the summary of the run is of an unknown form") }
    guard rendered == outputs.count else {
      throw BenchFailure("\(rendered) of \(outputs.count) jobs were rendered")
    }
    jobCPU = cpu * pixels / rate * Double(rendered)
  }
}
