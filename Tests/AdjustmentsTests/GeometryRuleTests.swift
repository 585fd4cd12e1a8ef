import Adjustments
import RenderModel
import Testing

@Suite("Geometry rules")
struct GeometryRuleTests {
  @Test(
    "geometry filters are read with their defaults",
    arguments: [
      ("flip", #""direction": "vertical""#), ("perspective", #""topLeft": [-0.1, 0.2]"#),
      ("pad", #""top": 0.1, "aspect": 1.5, "colour": [0, 0.5, 1]"#),
      ("border", #""width": 0.02, "inside": true"#),
      ("overlay", #""path": "logo.png", "anchor": "top", "scale": 0.1"#),
    ])
  func reads(name: String, members: String) throws {
    let steps = try steps(one(#""filter": "\#(name)", \#(members)"#))
    let step = try #require(steps.first)
    let description = try #require(FilterCatalogue.description(of: name))
    #expect(step.parameters.map(\.name) == description.parameters.map(\.name))
  }

  @Test(
    "points that make no rectangle are a problem of the corner that is wrong",
    arguments: [
      // The bottom right corner is drawn in past the middle.
      (#""bottomRight": [0.3, 0.3]"#, "bottomRight"),
      // Three on one line.
      (#""topRight": [0.5, 0.5]"#, "topRight"), (#""topLeft": [0.5, 0.5]"#, "topLeft"),
      // Two at the same place.
      (#""topRight": [0, 0]"#, "topLeft"),
      // Anticlockwise.
      (
        #""topLeft": [1, 0], "topRight": [0, 0], "bottomRight": [0, 1], "bottomLeft": [1, 1]"#,
        "topLeft"
      ),
      // One end of the sides nearly a point.
      (#""topLeft": [0.499, 0], "topRight": [0.501, 0]"#, "topLeft"),
    ])
  func perspective(members: String, field: String) throws {
    let found = try problem(one(#""filter": "perspective", \#(members)"#))
    #expect(found.field == "filters[0].\(field)")
  }

  @Test("points far outside, or of other than two numbers, are a problem of their own")
  func points() throws {
    for value in ["[0, 0, 0]", "[0]", "[-0.3, 0]", "[0, 1.26]", "0", #"["a", 0]"#] {
      let found = try problem(one(#""filter": "perspective", "topLeft": \#(value)"#))
      #expect(found.field == "filters[0].topLeft")
    }
  }

  @Test(
    "values out of range are problems of their fields",
    arguments: [
      ("pad", #""aspect": 0.001"#, "aspect"), ("pad", #""top": 11"#, "top"),
      ("pad", #""colour": [1, 1]"#, "colour"), ("border", #""width": 0.6"#, "width"),
      ("border", #""width": 0.1, "colour": [0, 0, 256]"#, "colour"),
      ("border", #""inside": true"#, "width"), ("flip", #""direction": "left""#, "direction"),
      ("overlay", #""scale": 1"#, "path"), ("overlay", #""path": "a.png", "scale": 0"#, "scale"),
      ("overlay", #""path": "a.png", "anchor": "middle""#, "anchor"),
    ])
  func ranges(name: String, members: String, field: String) throws {
    let found = try problem(one(#""filter": "\#(name)", \#(members)"#))
    #expect(found.field == "filters[0].\(field)")
  }

  @Test(
    "an opacity of a filter that moves pixels is a problem",
    arguments: [
      #""filter": "orient", "orientation": 3"#, #""filter": "flip""#, #""filter": "pad""#,
      #""filter": "border", "width": 0.1"#, #""filter": "straighten", "degrees": 1"#,
      #""filter": "perspective""#, #""filter": "crop", "x": 0, "y": 0, "width": 1, "height": 1"#,
    ])
  func opacity(members: String) throws {
    #expect(try problem(one(members + #", "opacity": 0.5"#)).field == "filters[0].opacity")
  }
}
