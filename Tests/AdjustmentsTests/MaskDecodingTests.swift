import Adjustments
import RenderModel
import Testing

/// The data of a record with one filter that has the mask.
func masked(_ mask: String) -> String { one(#""filter": "exposure", "ev": 1, "mask": \#(mask)"#) }

@Suite struct MaskDecodingTests {
  @Test("opacity and mask are the step's, with defaults filled in, in the catalogue's order")
  func whole() throws {
    let text = one(
      #"""
      "filter": "exposure", "ev": 1, "opacity": 0.25,
      "mask": {"invert": true, "feather": 0.2, "radius": [0.3, 0.2], "mask": "radial"}
      """#)
    let step = try #require(try steps(text).first)
    #expect(step.opacity == 0.25)
    let mask = try #require(step.mask)
    #expect(mask.kind == "radial")
    #expect(mask.isInverted)
    #expect(mask.parts.isEmpty)
    #expect(
      mask.parameters == [
        FilterStep.Parameter(name: "center", value: .numbers([0.5, 0.5])),
        FilterStep.Parameter(name: "radius", value: .numbers([0.3, 0.2])),
        FilterStep.Parameter(name: "unit", value: .text("sides")),
        FilterStep.Parameter(name: "rotation", value: .number(0)),
        FilterStep.Parameter(name: "feather", value: .number(0.2)),
      ])
  }

  @Test("without them a filter acts everywhere and wholly")
  func absent() throws {
    let step = try #require(try steps(one(#""filter": "exposure", "ev": 1"#)).first)
    #expect(step.opacity == 1)
    #expect(step.mask == nil)
  }

  static let kinds: [(String, Int)] = [
    (#"{"mask": "linearGradient", "from": [0, -2], "to": [0, 3]}"#, 2),
    (#"{"mask": "radial", "radius": [1, 1], "invert": false}"#, 5),
    (#"{"mask": "luminanceRange"}"#, 3),
    (#"{"mask": "luminanceRange", "from": 0.5, "to": 0.5}"#, 3),
    (#"{"mask": "colourRange", "colour": [1, 0.5, 0]}"#, 3),
    (#"{"mask": "hueRange", "hue": 0}"#, 4),
    (#"{"mask": "bitmap", "path": "masks/sky.png"}"#, 2),
  ]

  @Test("each kind is read with all its parameters", arguments: kinds)
  func kind(text: String, count: Int) throws {
    #expect(try steps(masked(text)).first?.mask?.parameters.count == count)
  }

  @Test("the kinds that are read here are all that there are")
  func complete() {
    let tested = Set(Self.kinds.compactMap { $0.0.split(separator: "\"").dropFirst(3).first })
    let plain = MaskCatalogue.masks.filter { !$0.hasParts }.map(\.name)
    #expect(tested == Set(plain.map { $0[...] }))
    #expect(MaskCatalogue.masks.filter(\.hasParts).map(\.name) == ["combine"])
  }

  @Test("combinations keep their parts in order and know their files")
  func combined() throws {
    let text = masked(
      #"""
      {"mask": "combine", "operation": "subtract", "masks": [
        {"mask": "bitmap", "path": "a.png"},
        {"mask": "combine", "invert": true, "masks": [
          {"mask": "hueRange", "hue": 30}, {"mask": "bitmap", "path": "b/c.png"}]}]}
      """#)
    let step = try #require(try steps(text).first)
    let mask = try #require(step.mask)
    #expect(mask.text("operation") == "subtract")
    #expect(mask.parts.map(\.kind) == ["bitmap", "combine"])
    #expect(mask.parts[1].isInverted)
    #expect(mask.parts[1].text("operation") == "union")
    #expect(step.files == ["a.png", "b/c.png"])
  }

  typealias Case = AdjustmentProblemTests.Case
  static let mistakes: [Case] = [
    Case(masked("1"), "filters[0].mask", "must be an object, not a number"),
    Case(masked("null"), "filters[0].mask", "not null"),
    Case(masked("{}"), "filters[0].mask", "the member mask, the mask's name, is missing"),
    Case(masked(#"{"mask": {}}"#), "filters[0].mask.mask", "must be a string, not an object"),
    Case(masked(#"{"mask": "radail"}"#), "filters[0].mask.mask", "did you mean radial?"),
    Case(masked(#"{"mask": "sky"}"#), "filters[0].mask.mask", "known are linearGradient, radial"),
    Case(
      masked(#"{"mask": "radial", "radius": [1, 1], "fether": 1}"#), "filters[0].mask.fether",
      "did you mean feather?"),
    Case(
      masked(#"{"mask": "radial", "radius": [1, 1], "invert": 1}"#), "filters[0].mask.invert",
      "true or false, not 1"),
    Case(
      masked(#"{"mask": "radial", "radius": [1, 1], "inverted": true}"#),
      "filters[0].mask.inverted", "did you mean invert?"),
    Case(
      masked(#"{"mask": "radial", "radius": [1, 1], "radius": [1, 1]}"#), "filters[0].mask.radius",
      "stands here twice"),
    Case(masked(#"{"mask": "radial"}"#), "filters[0].mask.radius", "radius is missing"),
    Case(
      masked(#"{"mask": "radial", "radius": [1, 0]}"#), "filters[0].mask.radius",
      "2 numbers from 0.001 to 10"),
    Case(masked(#"{"mask": "radial", "radius": [1]}"#), "filters[0].mask.radius", "2 numbers"),
    Case(
      masked(#"{"mask": "radial", "radius": [1, 1], "masks": []}"#), "filters[0].mask.masks",
      "did you mean mask?"),
    Case(
      masked(#"{"mask": "linearGradient", "from": [0.1, 0.1], "to": [0.1, 0.1]}"#),
      "filters[0].mask.to", "the same point"),
    Case(
      masked(#"{"mask": "luminanceRange", "from": 0.6, "to": 0.5}"#), "filters[0].mask.to",
      "must not be below from: 0.5 is below 0.6"),
    Case(
      masked(#"{"mask": "colourRange", "colour": [255, 0, 0]}"#), "filters[0].mask.colour",
      "3 numbers from 0 to 1"),
    Case(masked(#"{"mask": "combine"}"#), "filters[0].mask.masks", "it is missing"),
    Case(masked(#"{"mask": "combine", "masks": []}"#), "filters[0].mask.masks", "not an empty one"),
    Case(masked(#"{"mask": "combine", "masks": {}}"#), "filters[0].mask.masks", "not an object"),
    Case(
      masked(
        #"{"mask": "combine", "operation": "add", "masks": [{"mask": "hueRange", "hue": 1}]}"#),
      "filters[0].mask.operation", "known are union, intersect and subtract"),
    Case(
      masked(
        #"{"mask": "combine", "masks": [{"mask": "hueRange", "hue": 1}, "#
          + #"{"mask": "linearGradient", "from": 3, "to": [1, 1]}]}"#),
      "filters[0].mask.masks[1].from", "array of 2 numbers from -10 to 10, not 3"),
    Case(masked(nested(5)), "filters[0].mask" + deepest, "at most 4 deep"),
    Case(masked(wide(17)), "filters[0].mask", "there are 17 masks in it; at most 16"),
  ]

  private static let deepest = String(repeating: ".masks[0]", count: 4)

  private static func nested(_ depth: Int) -> String {
    depth == 0
      ? #"{"mask": "luminanceRange"}"# : #"{"mask": "combine", "masks": [\#(nested(depth - 1))]}"#
  }

  private static func wide(_ count: Int) -> String {
    let half = Array(repeating: nested(0), count: count / 2).joined(separator: ", ")
    let rest = Array(repeating: nested(0), count: count - count / 2).joined(separator: ", ")
    return #"{"mask": "combine", "masks": [{"mask": "combine", "masks": [\#(half)]}, \#(rest)]}"#
  }

  @Test(
    "each mistake in a mask is named with its field and what would be right", arguments: mistakes)
  func named(mistake: Case) throws {
    let problem = try problem(mistake.text)
    #expect(problem.field == mistake.field)
    #expect(problem.message.contains(mistake.says), "\(problem.message)")
  }

  @Test("four combinations inside each other and sixteen masks are not too many")
  func most() throws {
    #expect(try steps(masked(Self.nested(4))).count == 1)
    #expect(try steps(masked(Self.wide(16))).count == 1)
  }

  @Test(
    "a file's path must stay beneath its folder",
    arguments: [
      ("", "is empty"), ("/etc/passwd", "begins with a slash"), ("../a.png", "'..'"),
      ("a/../../b.png", "'..'"), ("./a.png", "'.'"), ("a//b.png", "slash"), ("a/", "slash"),
      (#"a\u0000.png"#, "NUL"),
    ])
  func paths(path: String, says: String) throws {
    let problem = try problem(masked(#"{"mask": "bitmap", "path": "\#(path)"}"#))
    #expect(problem.field == "filters[0].mask.path")
    #expect(problem.message.hasPrefix("path ") && problem.message.contains(says))
  }

  @Test("every kind of mask is described completely")
  func described() {
    let names = MaskCatalogue.masks.map(\.name)
    #expect(Set(names).count == names.count)
    for mask in MaskCatalogue.masks {
      #expect(!mask.summary.isEmpty && !mask.formula.isEmpty && !mask.source.isEmpty)
      let parameters = mask.parameters.map(\.name)
      #expect(Set(parameters).count == parameters.count)
      #expect(parameters.allSatisfy { !["mask", "masks", "invert"].contains($0) })
      #expect(mask.parameters.allSatisfy { !$0.meaning.isEmpty })
    }
  }

  @Test("all but geometry filters take opacity and mask, and of those overlay does")
  func blended() {
    for filter in FilterCatalogue.filters {
      #expect(filter.isBlended == (filter.kind != .geometry || filter.name == "overlay"))
      #expect(filter.takesMask == (filter.kind != .geometry))
    }
  }
}
