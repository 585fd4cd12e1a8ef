import Glibc
import Imaging
import RenderModel
import SystemSupport

/// Draws JPEGs as a camera would leave them; what is there already is not drawn again.
struct CorpusCommand {
  private let directory: Directory
  private let count: Int
  private let megapixels: Int

  init(_ arguments: BenchArguments) throws {
    guard let path = arguments.operands.first else {
      throw BenchFailure("corpus wants a folder", status: 64)
    }
    directory = try Directory(path: path, creating: true)
    count = try arguments.number("count", default: 200)
    megapixels = try arguments.number("megapixels", default: 12)
  }

  func run() throws {
    var missing: [Int] = []
    for index in 0..<count where try directory.status(Self.name(index)) == nil {
      missing.append(index)
    }
    if missing.isEmpty { return }
    print("drawing \(missing.count) photos of \(megapixels) MP")
    let work = missing
    try ForkedProcesses.run(HostResources.detect().cpus, pieces: work.count) { piece in
      try draw(work[piece])
    }
  }

  /// `photo-007.jpg`
  static func name(_ index: Int) -> [UInt8] {
    let digits = String(index)
    return Array(
      "photo-\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits).jpg".utf8)
  }

  private func draw(_ index: Int) throws {
    let source = try PlainTIFF.file(
      PhotoDrawing(seed: index, pixels: megapixels * 1_000_000))
    let photo = try MemoryFile.create(name: "photo")
    let plan = RenderPlan(renditions: [Rendition(name: "photo", quality: 92)])
    let bytes = try Renderer.render(source, plan, to: photo)
    // Under its name only when it is whole.
    let staged = Self.name(index) + Array(".part".utf8)
    let file = try directory.openBeneath(
      staged, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
    try FileTransfer.copy(from: photo, to: file, count: Int64(bytes))
    try directory.rename(staged, to: directory, Self.name(index))
  }
}

/// The worker's own renderer, called without the worker.
enum Renderer {
  static func start() throws { _ = try ImagingRuntime.start() }

  /// Bytes of the one output. `isChecked`: it is looked at as a pool's second process does.
  static func render(
    _ source: OwnedDescriptor, _ plan: RenderPlan, to output: OwnedDescriptor,
    resources: [OwnedDescriptor] = [], isChecked: Bool = false
  ) throws -> Int {
    try start()
    let picture = try OpenedPicture.open(
      descriptor: source.rawValue, limits: plan.limits, tolerant: plan.tolerant
    ).get()
    let result = try picture.render(
      plan, outputs: [output.rawValue], resources: resources.map(\.rawValue)
    ).get()
    if isChecked,
      let failure = OutputCheck.failure(
        of: result.outputs, in: [output.rawValue], decoding: false)
    {
      throw failure
    }
    return result.outputs[0].bytes
  }
}
