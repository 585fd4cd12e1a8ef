import Glibc
import Imaging
import RenderModel
import SystemSupport

/// What it takes to keep metadata, to bring colours into another space, and to look at outputs, on top of
/// the same job without it; all in turns, in one run.
struct FidelityCommand {
  private let work: String
  private let rounds: Int

  /// Of the processor time of the job without any of it.
  private static let most = 0.05
  private static let pixels = 12_000_000

  init(_ arguments: BenchArguments) throws {
    work = try arguments.text("work")
    rounds = try arguments.number("rounds", default: 20)
  }

  private struct Variant {
    var name: String
    var photo: String
    var metadata = Rendition.MetadataPolicy.strip
    var colorSpace = Rendition.ColorSpace.source
    var isLookedAt = false
    var seconds: [Double] = []
  }

  func run() throws {
    // Before any process is forked, so that none of them has to.
    try Renderer.start()
    let plain = try draw("plain", .source) { $0 }
    let laden = try draw("laden", .source, LadenPhoto.bytes)
    let wide = try draw("wide", .displayP3) { $0 }
    let wideAndLaden = try draw("wide-laden", .displayP3, LadenPhoto.bytes)
    var variants = [
      Variant(name: "without", photo: plain),
      Variant(name: "metadata kept", photo: laden, metadata: .keep),
      Variant(name: "Display P3 to sRGB", photo: wide, colorSpace: .sRGB),
      Variant(name: "looked at by a second process", photo: plain, isLookedAt: true),
      Variant(
        name: "all together", photo: wideAndLaden, metadata: .keep, colorSpace: .sRGB,
        isLookedAt: true),
    ]
    for round in 0...rounds {
      for index in variants.indices {
        let seconds = try ForkedProcesses.cpuSeconds { try carryOut(variants[index]) }
        // The first fills the caches.
        if round > 0 { variants[index].seconds.append(seconds) }
      }
    }
    try report(variants)
  }

  private func report(_ variants: [Variant]) throws {
    let medians = variants.map { Statistics.median($0.seconds) }
    let shares = medians.map { $0 / medians[0] - 1 }
    print(
      TableText.lines(
        [["12 MP JPEG to JPEG within 2048, median of \(rounds), CPU", "ms", "on top"]]
          + variants.indices.map {
            [
              variants[$0].name, TableText.number(medians[$0] * 1000, 1),
              TableText.number(shares[$0] * 100, 1) + " %",
            ]
          }))
    if let last = shares.last, last > Self.most {
      throw BenchFailure("all together takes more than \(Int(Self.most * 100)) % on top")
    }
  }

  /// A process that renders, and where that is asked for another that looks at what it made.
  private func carryOut(_ variant: Variant) throws {
    let output = try MemoryFile.create(name: "output")
    var rendition = BenchJob.rendition
    rendition.metadata = variant.metadata
    rendition.colorSpace = variant.colorSpace
    let plan = RenderPlan(renditions: [rendition])
    try ForkedProcesses.run(1, pieces: 1) { _ in
      let source = try OwnedDescriptor.open(path: variant.photo, flags: O_RDONLY)
      _ = try Renderer.render(source, plan, to: output)
    }
    guard variant.isLookedAt else { return }
    let bytes = Int(try FileStatus(of: output).size)
    try ForkedProcesses.run(1, pieces: 1) { _ in
      let claimed = RenderResult.Output(
        name: rendition.name, type: .jpeg, bytes: bytes, width: 2048, height: 1536,
        profile: "sRGB", bitDepth: 8)
      if let failure = OutputCheck.failure(
        of: [claimed], in: [output.rawValue], decoding: false)
      {
        throw failure
      }
    }
  }

  private func draw(
    _ name: String, _ space: Rendition.ColorSpace, _ change: ([UInt8]) -> [UInt8]
  ) throws -> String {
    let path = "\(work)/\(name).jpg"
    try ForkedProcesses.run(1, pieces: 1) { _ in
      let source = try PlainTIFF.file(PhotoDrawing(seed: 3, width: 4000, height: 3000))
      let photo = try MemoryFile.create(name: "photo")
      var rendition = Rendition(name: "photo", quality: 92)
      rendition.colorSpace = space
      _ = try Renderer.render(source, RenderPlan(renditions: [rendition]), to: photo)
      let file = try OwnedDescriptor.open(
        path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      lseek(photo.rawValue, 0, SEEK_SET)
      try FileTransfer.writeAll(file, change(try FileTransfer.readAll(photo, limit: 1 << 28)))
    }
    return path
  }
}
