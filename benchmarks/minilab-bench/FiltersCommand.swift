import Glibc
import RenderModel
import SystemSupport

/// What filters take on top of decoding and encoding one large JPEG, one thread, and the same filters
/// as a chain of libvips' operations; all in turns, in one run.
struct FiltersCommand {
  private let photo: String
  private let work: String
  private let rounds: Int
  /// What the names of filters must contain that are measured one by one instead; nil for sets.
  private let each: String?

  init(_ arguments: BenchArguments) throws {
    photo = try arguments.text("photo")
    work = try arguments.text("work")
    rounds = try arguments.number("rounds", default: 5)
    each = arguments.optional("each")
  }

  private struct Variant {
    var name: String
    var body: () throws -> Void
    var seconds: [Double] = []
    var median: Double { Statistics.median(seconds) }
  }

  func run() throws {
    // Before any process is forked, so that none of them has to.
    try Renderer.start()
    if let each { try runEach(each == "all" ? "" : each) } else { try runSets() }
  }

  /// Each local and neighbourhood filter by itself, on top of decoding and encoding.
  private func runEach(_ word: String) throws {
    var variants = [Variant(name: "decode and encode") { try render([]) }]
    for (name, filters) in FilterSets.each where name.contains(word) {
      variants.append(Variant(name: name) { try render([filters]) })
    }
    try measure(&variants)
    let base = variants[0].median
    print(
      TableText.lines(
        [["median of \(rounds), CPU", "s", "on top"]]
          + variants.map {
            [$0.name, TableText.number($0.median, 3), TableText.number(($0.median - base) / base)]
          }))
  }

  private func runSets() throws {
    var variants = [
      Variant(name: "decode and encode") { try render([]) },
      Variant(name: "8 point filters") { try render([FilterSets.basic]) },
      Variant(name: "8 point filters, lut3d") {
        try render([FilterSets.basic, FilterSets.table])
      },
      Variant(name: "8 point filters, hsl, vibrance") {
        try render([FilterSets.basic, FilterSets.hues])
      },
      Variant(name: "8 local filters") { try render([FilterSets.local]) },
      Variant(name: "libvips: decode and encode") { try chain([]) },
      Variant(name: "libvips: the 8 point filters as a chain") { try chain(LibraryChain.basic()) },
    ]
    try measure(&variants)
    print(
      TableText.lines(
        [["median of \(rounds), CPU", "s"]]
          + variants.map { [$0.name, TableText.number($0.median, 3)] }))
    try judge(variants.map(\.median))
  }

  /// In turns; the first round fills the caches.
  private func measure(_ variants: inout [Variant]) throws {
    for round in 0...rounds {
      for index in variants.indices {
        let seconds = try cpuSeconds(variants[index].body)
        if round > 0 { variants[index].seconds.append(seconds) }
      }
    }
  }

  /// What is wanted of the ratios.
  private func judge(_ seconds: [Double]) throws {
    let base = seconds[0]
    let point = seconds[1] - base
    let chain = seconds[6] - seconds[5]
    let ratios = [
      ("8 point filters / decode and encode", point / base, "at most", 0.45),
      ("lut3d on top / decode and encode", (seconds[2] - seconds[1]) / base, "at most", 0.5),
      (
        "hsl and vibrance on top / decode and encode", (seconds[3] - seconds[1]) / base, "at most",
        0.8
      ),
      ("8 local filters / decode and encode", (seconds[4] - base) / base, "at most", 6),
      ("chain / 8 point filters, filter part alone", chain / max(point, 1e-6), "at least", 5),
    ]
    print(
      TableText.lines(
        [["", "ratio", "wanted"]]
          + ratios.map { [$0.0, TableText.number($0.1), "\($0.2) \(TableText.number($0.3))"] }))
    guard ratios.allSatisfy({ $0.2 == "at most" ? $0.1 <= $0.3 : $0.1 >= $0.3 }) else {
      throw BenchFailure("a ratio is not what is wanted")
    }
  }

  private func render(_ sets: [String]) throws {
    let source = try OwnedDescriptor.open(path: photo, flags: O_RDONLY)
    let output = try MemoryFile.create(name: "output")
    let steps = try FilterSets.steps(sets)
    var resources: [OwnedDescriptor] = []
    if steps.contains(where: { !$0.files.isEmpty }) {
      resources.append(try OwnedDescriptor.open(path: "\(work)/look.cube", flags: O_RDONLY))
    }
    let plan = RenderPlan(
      filters: steps, renditions: [Rendition(name: "full", quality: 92)],
      resources: steps.flatMap(\.files))
    _ = try Renderer.render(source, plan, to: output, resources: resources)
  }

  private func chain(_ steps: [LibraryChain.Step]) throws {
    try LibraryChain.run(steps, from: photo, to: "\(work)/chain.jpg")
  }

  /// Processor time of a process of its own that does nothing else.
  private func cpuSeconds(_ body: () throws -> Void) throws -> Double {
    if !FilePresence.exists("\(work)/look.cube") {
      let folder = try Directory(path: work, creating: true)
      let file = try folder.openBeneath(
        Array("look.cube".utf8), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
      try FileTransfer.writeAll(file, Array(FilterSets.cube().utf8))
    }
    return try ForkedProcesses.cpuSeconds {
      try ForkedProcesses.run(1, pieces: 1) { _ in try body() }
    }
  }
}

/// Whether there is something at a path.
enum FilePresence {
  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
