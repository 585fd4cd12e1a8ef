import Glibc
import RenderModel
import SystemSupport

/// The least that rendering can cost: as many processes as processors, one thread each, no pool.
///
/// Files are opened by path, outputs written plainly: no sandbox, no deadline, no digest, no sync,
/// no report.
struct LoopCommand {
  private let output: Directory
  private let files: [String]
  private let jobs: Int
  private let processes: Int
  /// A new process for each job, forked from one that has the libraries started.
  private let isFresh: Bool

  init(_ arguments: BenchArguments) throws {
    output = try Directory(path: try arguments.text("output"), creating: true)
    files = arguments.operands
    guard !files.isEmpty else { throw BenchFailure("loop wants files", status: 64) }
    jobs = try arguments.number("jobs", default: files.count)
    processes = try arguments.number("processes", default: HostResources.detect().cpus)
    isFresh = try arguments.number("fresh", default: 0, least: 0) > 0
  }

  func run() throws {
    try ForkedProcesses.run(processes, pieces: jobs) { piece in
      if isFresh {
        try Renderer.start()
        try ForkedProcesses.run(1, pieces: 1) { _ in try render(piece) }
      } else {
        try render(piece)
      }
    }
  }

  private func render(_ piece: Int) throws {
    let source = try OwnedDescriptor.open(path: files[piece % files.count], flags: O_RDONLY)
    let rendered = try MemoryFile.create(name: "output")
    let bytes = try Renderer.render(
      source, RenderPlan(renditions: [BenchJob.rendition]), to: rendered, isChecked: true)
    let file = try output.openBeneath(
      Array("\(piece).jpg".utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
    try FileTransfer.copy(from: rendered, to: file, count: Int64(bytes))
  }
}

/// The job that is measured: a photo to a JPEG within 2048 x 2048.
enum BenchJob {
  static let rendition = Rendition(
    name: "preview", type: .jpeg, targetSize: Rendition.TargetSize(width: 2048, height: 2048),
    deliveryMode: .highQuality)

  /// The same as a manifest's member.
  static let json = #"{"name": "preview", "type": "public.jpeg", "targetSize": [2048, 2048]}"#
}
