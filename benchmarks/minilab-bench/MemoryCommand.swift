import Glibc
import RenderModel
import SystemSupport

/// What a rendering process needs at most, with a picture and with one four times as tall.
///
/// Both are rendered at full size and not turned, so that what is needed must not grow with height. The
/// source is mapped, and its pages count as the process's; the kernel may drop them, so they are taken off.
struct MemoryCommand {
  private let work: String
  private let width: Int
  private let height: Int

  /// What the tall picture may need more, in proportion.
  private static let most = 1.25
  private static let times = 4

  init(_ arguments: BenchArguments) throws {
    work = try arguments.text("work")
    width = try arguments.number("width", default: 4000, least: 64)
    height = try arguments.number("height", default: 2500, least: 64)
  }

  func run() throws {
    // Before any process is forked: what the libraries need is no picture's.
    try Renderer.start()
    let photos = try [height, Self.times * height].map { try draw($0) }
    var rows = [
      ["peak of the rendering process, MB", "\(height)", "\(Self.times * height)", "ratio"]
    ]
    var worst = 0.0
    for (name, filters) in FilterSets.streaming {
      let peaks = try photos.map { try peak($0, filters) }
      let ratio = peaks[1] / peaks[0]
      worst = max(worst, ratio)
      rows.append([
        name, TableText.number(peaks[0] / 1e6, 1), TableText.number(peaks[1] / 1e6, 1),
        TableText.number(ratio),
      ])
    }
    print("JPEG of \(width) pixels across to JPEG of the same size, without the file that is read")
    print(TableText.lines(rows))
    if worst > Self.most {
      throw BenchFailure("the tall picture needs more than \(Self.most) of what the other does")
    }
  }

  private func draw(_ height: Int) throws -> String {
    let path = "\(work)/tall-\(height).jpg"
    _ = try child {
      let source = try PlainTIFF.file(PhotoDrawing(seed: 1, width: width, height: height))
      let photo = try MemoryFile.create(name: "photo")
      let bytes = try Renderer.render(
        source, RenderPlan(renditions: [Rendition(name: "photo", quality: 92)]), to: photo)
      let file = try OwnedDescriptor.open(
        path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      try FileTransfer.copy(from: photo, to: file, count: Int64(bytes))
    }
    return path
  }

  /// In bytes, without those of the photo itself.
  private func peak(_ photo: String, _ filters: [String]) throws -> Double {
    let file = try OwnedDescriptor.open(path: photo, flags: O_RDONLY)
    let mapped = withExtendedLifetime(file) { lseek(file.rawValue, 0, SEEK_END) }
    return try child {
      let source = try OwnedDescriptor.open(path: photo, flags: O_RDONLY)
      let output = try MemoryFile.create(name: "output")
      let plan = RenderPlan(
        filters: filters.isEmpty ? [] : try FilterSets.steps(filters),
        renditions: [Rendition(name: "full", quality: 92)])
      _ = try Renderer.render(source, plan, to: output)
    } - Double(mapped)
  }

  /// The peak of a process of its own.
  private func child(_ body: () throws -> Void) throws -> Double {
    let pid = ProcessControl.fork()
    if pid == 0 {
      do {
        try body()
        _exit(0)
      } catch {
        StandardError.say("minilab-bench: \(error)")
        _exit(1)
      }
    }
    try SystemError.check("fork", pid)
    let report = try ChildProcess(forked: pid).wait()
    guard report.status == .exited(0) else { throw BenchFailure("a process failed") }
    return Double(report.peakResidentBytes)
  }
}
