/// Where the time of pool and loop went, in medians.
struct OverheadTable {
  let jobs: Int
  let cpus: Int
  let loop: [Measurement]
  let pool: [PoolMeasurement]
  /// Seconds of processor time that the coordinator's digests take.
  let digests: Double

  /// The promise: this much of the loop's throughput.
  static let wanted = 0.95

  /// Throughput of the pool as a share of the loop's, by the medians of the times.
  var share: Double { loopMedian(\.wall) / poolMedian(\.run.wall) }

  var text: String {
    let own = poolMedian(\.run.ownCPU)
    let jobCPU = poolMedian(\.jobCPU)
    let zygote = poolMedian { $0.run.childCPU - $0.jobCPU }
    let loopCPU = loopMedian { $0.ownCPU + $0.childCPU }
    let rows = [
      ["median of \(loop.count)", "loop", "pool"],
      row("wall, s", loopMedian(\.wall), poolMedian(\.run.wall)),
      row(
        "jobs a second", Double(jobs) / loopMedian(\.wall),
        Double(jobs) / poolMedian(\.run.wall)),
      row(
        "processors waiting, s", loopMedian { wait($0) }, poolMedian { wait($0.run) }),
      ["CPU a job, ms"],
      row("  all", perJob(loopCPU), perJob(own + jobCPU + zygote)),
      row("  rendering processes", perJob(loopCPU), perJob(jobCPU)),
      ["  zygote", "", TableText.number(perJob(zygote))],
      ["  coordinator", "", TableText.number(perJob(own))],
      ["    of which digests", "", TableText.number(perJob(digests))],
      ["    of which the rest", "", TableText.number(perJob(own - digests))],
      ["peak memory of the coordinator, MB", "", peak],
    ]
    return TableText.lines(rows)
      + "\nthroughput of the pool: \(percent(share)) % of the loop's (rounds: \(rounds)); "
      + "by CPU alone \(percent(loopCPU / (own + jobCPU + zygote))) %"
  }

  private var peak: String {
    TableText.number(poolMedian { Double($0.run.peakResident) / 1_000_000 }, 1)
  }

  private var rounds: String {
    zip(loop, pool).map { percent($0.wall / $1.run.wall) }.joined(separator: ", ")
  }

  private func percent(_ share: Double) -> String { TableText.number(100 * share, 1) }

  private func wait(_ run: Measurement) -> Double {
    Double(cpus) * run.wall - run.ownCPU - run.childCPU
  }

  private func perJob(_ seconds: Double) -> Double { 1000 * seconds / Double(jobs) }

  private func row(_ name: String, _ loop: Double, _ pool: Double) -> [String] {
    [name, TableText.number(loop), TableText.number(pool)]
  }

  private func loopMedian(_ value: (Measurement) -> Double) -> Double {
    Statistics.median(loop.map(value))
  }

  private func poolMedian(_ value: (PoolMeasurement) -> Double) -> Double {
    Statistics.median(pool.map(value))
  }
}
