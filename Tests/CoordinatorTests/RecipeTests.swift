import RenderModel
import Testing

@testable import Coordinator

/// The recipe's digest changes with everything that decides bytes and names, and with nothing else.
@Suite("Recipe")
struct RecipeTests {
  private static func job() throws -> Job {
    Job(
      id: "a", asset: RelativePath("a.jpg"), adjustment: .none,
      outputs: [
        Job.Output(
          rendition: Rendition(
            name: "full", type: .png, targetSize: .init(width: 100, height: 50), quality: 80),
          template: try OutputTemplate.parse("{stem}.{extension}"))
      ])
  }

  struct Change: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var make: @Sendable (inout Job) throws -> Void

    init(_ name: String, _ make: @escaping @Sendable (inout Job) throws -> Void) {
      testDescription = name
      self.make = make
    }

    /// A change of the first rendition.
    static func rendition(_ name: String, _ make: @escaping @Sendable (inout Rendition) -> Void)
      -> Change
    {
      Change(name) { make(&$0.outputs[0].rendition) }
    }
  }

  static let decisive: [Change] = [
    .rendition("name") { $0.name = "other" },
    .rendition("type") { $0.type = .tiff },
    .rendition("width") { $0.targetSize?.width = 101 },
    .rendition("height") { $0.targetSize?.height = 51 },
    .rendition("no size") { $0.targetSize = nil },
    .rendition("contentMode") { $0.contentMode = .aspectFill },
    .rendition("deliveryMode") { $0.deliveryMode = .fast },
    .rendition("enlarge") { $0.enlarge = true },
    .rendition("quality") { $0.quality = 81 },
    .rendition("bitDepth") { $0.bitDepth = 16 },
    .rendition("progressive") { $0.options[.progressive] = .flag(true) },
    .rendition("maxBytes") { $0.options[.maxBytes] = .number(1000) },
    .rendition("colorSpace") { $0.colorSpace = .displayP3 },
    .rendition("profile") { $0.profile = "a.icc" },
    .rendition("renderingIntent") { $0.renderingIntent = .perceptual },
    .rendition("blackPointCompensation") { $0.blackPointCompensation = true },
    .rendition("metadata") { $0.metadata = .strip },
    .rendition("location") { $0.location = .strip },
    Change("template") { $0.outputs[0].template = try OutputTemplate.parse("{job}.{extension}") },
    Change("another rendition") { $0.outputs.append($0.outputs[0]) },
    Change("no rendition") { $0.outputs = [] },
    Change("report") { $0.reportTemplate = try OutputTemplate.parse("{stem}.json", for: .report) },
    Change("tolerant") { $0.tolerant = true },
    Change("rawSource") { $0.rawSource = .embeddedPreview },
  ]

  @Test("what decides bytes or names changes the digest", arguments: decisive)
  func changes(change: Change) throws {
    let job = try Self.job()
    var changed = job
    try change.make(&changed)
    #expect(Recipe.digest(of: changed) != Recipe.digest(of: job))
  }

  @Test("a remembered recipe is never another job's", arguments: decisive + indifferent)
  func memo(change: Change) throws {
    let memo = RecipeMemo()
    let job = try Self.job()
    var changed = job
    try change.make(&changed)
    for asked in [job, job, changed, job, changed, changed] {
      #expect(memo.digest(of: asked) == Recipe.digest(of: asked))
    }
  }

  static let indifferent: [Change] = [
    Change("id") { $0.id = "b" },
    Change("asset") { $0.asset = RelativePath("b.jpg") },
    Change("adjustment") { $0.adjustment = .sidecar },
    Change("deadline") { $0.deadline.baseMilliseconds = 1 },
    Change("limits") { $0.limits.pixels = 1 },
    .rendition("the standard depth spelled out") { $0.bitDepth = 8 },
    .rendition("a standard option spelled out") { $0.options[.progressive] = .flag(false) },
  ]

  @Test("what decides neither leaves it alone", arguments: indifferent)
  func leaves(change: Change) throws {
    let job = try Self.job()
    var changed = job
    try change.make(&changed)
    #expect(Recipe.digest(of: changed) == Recipe.digest(of: job))
  }

  @Test("every one of these recipes is another")
  func allDiffer() throws {
    var digests: Set<String> = []
    for change in Self.decisive {
      var job = try Self.job()
      try change.make(&job)
      digests.insert(Recipe.digest(of: job))
    }
    #expect(digests.count == Self.decisive.count)
  }

  @Test(
    "the render key covers source, record, recipe, filter versions in no order, and files in theirs"
  )
  func renderKey() {
    let exposure = FilterStep(name: "exposure", version: 1, parameters: [])
    let crop = FilterStep(name: "crop", version: 2, parameters: [])
    func key(
      _ filters: [FilterStep], source: String = "s", record: String? = "a", recipe: String = "r",
      files: [String] = []
    ) -> String {
      Recipe.renderKey(
        source: source, adjustment: record, recipe: recipe, filters: filters, files: files)
    }
    let standard = key([exposure, crop])
    #expect(standard == key([crop, exposure]))
    #expect(standard == key([exposure, crop, exposure]))
    let newer = FilterStep(name: "crop", version: 3, parameters: [])
    let others = [
      key([exposure, crop], source: "t"), key([exposure, crop], record: "b"),
      key([exposure, crop], record: nil), key([exposure, crop], recipe: "q"),
      key([exposure]), key([exposure, newer]), key([exposure, crop], files: ["f"]),
      key([exposure, crop], files: ["f", "g"]), key([exposure, crop], files: ["g", "f"]),
    ]
    #expect(Set(others + [standard]).count == others.count + 1)
  }
}
