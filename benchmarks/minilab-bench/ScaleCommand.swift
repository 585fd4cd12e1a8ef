import Glibc
import RenderModel
import SystemSupport

/// Runs of more and more tiny jobs: what the coordinator takes must not grow with them.
struct ScaleCommand {
  private let work: String
  private let counts: [Int]

  init(_ arguments: BenchArguments) throws {
    work = try arguments.text("work")
    counts = try arguments.numbers("jobs", default: [1000, 10_000, 100_000])
  }

  func run() throws {
    let folder = try Directory(path: work, creating: true)
    try Self.drawPhoto(folder)
    var rows = [["jobs", "wall, s", "peak, MB", "coordinator, ms a job", "all CPU, ms a job"]]
    var peaks: [Int] = []
    for count in counts {
      try ManifestText.write(
        folder, library: work, rendition: Self.rendition,
        lines: (0..<count).lazy.map { ("\($0 / 1000)/\($0)", "tiny.jpg") })
      sync()
      let run = try MeasuredProgram.run(
        "minilab",
        [
          "render", "\(work)/\(ManifestText.name)", "--output", "\(work)/out-\(count)",
          "--progress", "none",
          "--format", "json",
        ])
      _ = try PoolMeasurement(run, outputs: Array(repeating: "", count: count))
      let jobs = Double(count)
      peaks.append(run.peakResident)
      rows.append([
        "\(count)", TableText.number(run.wall),
        TableText.number(Double(run.peakResident) / 1_000_000, 1),
        TableText.number(1000 * run.ownCPU / jobs, 3),
        TableText.number(1000 * (run.ownCPU + run.childCPU) / jobs, 3),
      ])
    }
    print(TableText.lines(rows))
    guard let least = peaks.min(), let most = peaks.max(), most - least <= Self.allowedGrowth else {
      throw BenchFailure("the coordinator grows with the number of jobs")
    }
  }

  /// What a run may take more than another, in bytes: the allocator's chance, not a byte for each job.
  private static let allowedGrowth = 8_000_000

  private static let rendition =
    #"{"name": "small", "type": "public.jpeg", "targetSize": [64, 64]}"#

  /// One tiny photo, `tiny.jpg`.
  static func drawPhoto(_ folder: Directory) throws {
    let source = try PlainTIFF.file(PhotoDrawing(seed: 0, pixels: 20_000))
    let photo = try MemoryFile.create(name: "photo")
    let bytes = try Renderer.render(
      source, RenderPlan(renditions: [Rendition(name: "photo")]), to: photo)
    let file = try folder.openBeneath(
      Array("tiny.jpg".utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
    try FileTransfer.copy(from: photo, to: file, count: Int64(bytes))
  }
}
