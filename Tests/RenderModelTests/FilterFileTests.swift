import RenderModel
import Testing

@Suite("Files that filters name")
struct FilterFileTests {
  private static let steps = [
    FilterStep(name: "exposure", version: 1, parameters: [.init(name: "ev", value: .number(1))]),
    FilterStep(
      name: "lut3d", version: 1,
      parameters: [
        .init(name: "path", value: .file("a.cube")), .init(name: "strength", value: .number(1)),
      ],
      mask: FilterMask(
        kind: "combine", parameters: [],
        parts: [
          FilterMask(kind: "radial", parameters: []),
          FilterMask(kind: "bitmap", parameters: [.init(name: "path", value: .file("m.png"))]),
        ])),
    FilterStep(
      name: "overlay", version: 1, parameters: [.init(name: "picture", value: .file("a.cube"))]),
  ]

  @Test("every file is listed with its field, masks within masks included")
  func listed() {
    #expect(
      Self.steps.namedFiles == [
        NamedFile(field: "filters[1].path", name: "a.cube"),
        NamedFile(field: "filters[1].mask.masks[1].path", name: "m.png"),
        NamedFile(field: "filters[2].picture", name: "a.cube"),
      ])
  }

  @Test("new names are put in place and nothing else changes")
  func renamed() throws {
    var asked: [NamedFile] = []
    let renamed = try Self.steps.renamingFiles { file in
      asked.append(file)
      return "x/" + file.name
    }
    #expect(asked == Self.steps.namedFiles)
    #expect(renamed.flatMap(\.files) == ["x/a.cube", "x/m.png", "x/a.cube"])
    #expect(renamed[0] == Self.steps[0])
    #expect(renamed[1].number("strength") == 1)
    #expect(renamed[1].mask?.parts[0] == Self.steps[1].mask?.parts[0])
  }

  @Test("a name that is refused ends it")
  func refused() {
    let failure = RenderFailure(code: .invalidAdjustment, stage: .intake, detail: "no")
    #expect(throws: failure) {
      try Self.steps.renamingFiles { (file) throws(RenderFailure) in
        if file.name == "m.png" { throw failure }
        return file.name
      }
    }
  }

  @Test(
    "a file is looked for beside the record's own file, then beneath the library",
    arguments: [
      (nil, ["l/x.cube"]), ("house.json", ["l/x.cube"]),
      ("looks/house.json", ["looks/l/x.cube", "l/x.cube"]),
      ("a/b/c.json", ["a/b/l/x.cube", "l/x.cube"]),
    ] as [(String?, [String])])
  func places(record: String?, places: [String]) {
    let found = FilterFilePlaces.candidates(
      for: Array("l/x.cube".utf8), beside: record.map { RelativePath($0) })
    #expect(found == places.map { RelativePath($0) })
  }

  @Test("what is missing is said with every place and the remedy")
  func missing() {
    let one = FilterFilePlaces.missing([RelativePath("x.cube")])
    #expect(one == "is not beneath the library; put it there, or correct its name")
    let two = FilterFilePlaces.missing([RelativePath("l/x.cube"), RelativePath("x.cube")])
    #expect(two.contains("beside the record (l/x.cube)"))
    #expect(two.contains("beneath the library (x.cube)"))
  }
}
