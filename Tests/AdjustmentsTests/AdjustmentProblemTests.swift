import Adjustments
import RenderModel
import Testing

@Suite struct AdjustmentProblemTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var field: String
    /// A piece of the message.
    var says: String
    var testDescription: String { text }
    init(_ text: String, _ field: String, _ says: String) {
      self.text = text
      self.field = field
      self.says = says
    }
  }

  static let cases: [Case] = [
    Case("[]", "", "an object with filters is wanted, not an array"),
    Case("{}", "filters", "missing"),
    Case(#"{"filters": {}}"#, "filters", "must be an array, not an object"),
    Case(#"{"filters": [], "filter": 1}"#, "filter", "did you mean filters?"),
    Case(#"{"filters": ["exposure"]}"#, "filters[0]", "must be an object, not a string"),
    Case(#"{"filters": [{"ev": 1}]}"#, "filters[0]", "the filter's name, is missing"),
    Case(one(#""filter": 3"#), "filters[0].filter", "must be a string, not a number"),
    Case(one(#""filter": "exposre", "ev": 1"#), "filters[0].filter", "did you mean exposure?"),
    Case(one(#""filter": "Exposure", "ev": 1"#), "filters[0].filter", "did you mean exposure?"),
    Case(one(#""filter": "magic wand""#), "filters[0].filter", "'minilab filters' lists the "),
    Case(
      one(#""filter": "exposure""#), "filters[0].ev",
      "ev is missing; must be a number from -10 to 10"),
    Case(one(#""filter": "exposure", "ev": "1""#), "filters[0].ev", "not a string"),
    Case(one(#""filter": "exposure", "ev": null"#), "filters[0].ev", "not null"),
    Case(one(#""filter": "exposure", "ev": true"#), "filters[0].ev", "not a Boolean"),
    Case(one(#""filter": "hsl", "red": [0, 0, 2]"#), "filters[0].red", "not [0, 0, 2]"),
    Case(one(#""filter": "exposure", "ev": 11"#), "filters[0].ev", "not 11"),
    Case(one(#""filter": "exposure", "ev": 1e999"#), "filters[0].ev", "not 1e999"),
    Case(one(#""filter": "exposure", "ev": 1, "EV": 1"#), "filters[0].EV", "did you mean ev?"),
    Case(one(#""filter": "exposure", "ev": 1, "ev": 1"#), "filters[0].ev", "stands here twice"),
    Case(one(#""filter": "exposure", "ev": 1, "filter": "crop""#), "filters[0].filter", "twice"),
    Case(
      one(#""filter": "exposure", "ev": 1, "version": "1""#), "filters[0].version",
      "a whole number from 1 on, not a string"),
    Case(one(#""filter": "exposure", "ev": 1, "version": 0"#), "filters[0].version", "not 0"),
    Case(one(#""filter": "exposure", "ev": 1, "version": -2"#), "filters[0].version", "not -2"),
    Case(one(#""filter": "exposure", "ev": 1, "version": 1.5"#), "filters[0].version", "not 1.5"),
    Case(one(#""filter": "exposure", "ev": 1, "version": null"#), "filters[0].version", "not null"),
    Case(
      one(#""filter": "exposure", "ev": 1, "opacity": 1.1"#), "filters[0].opacity",
      "from 0 to 1, not 1.1"),
    Case(
      one(#""filter": "exposure", "ev": 1, "opacity": "1""#), "filters[0].opacity", "not a string"),
    Case(
      one(#""filter": "exposure", "ev": 1, "opcity": 1"#), "filters[0].opcity",
      "did you mean opacity?"),
    Case(
      one(#""filter": "orient", "orientation": 6, "opacity": 1"#), "filters[0].opacity",
      "orient acts on the whole picture at once, so it takes no opacity"),
    Case(
      one(#""filter": "straighten", "degrees": 6, "mask": {}"#), "filters[0].mask",
      "straighten acts on the whole picture at once, so it takes no mask"),
    Case(
      one(#""filter": "orient", "orientation": 0"#), "filters[0].orientation",
      "whole number from 1 to 8"),
    Case(one(#""filter": "orient", "orientation": 1.5"#), "filters[0].orientation", "not 1.5"),
    Case(one(#""filter": "contrast", "amount": -0.1"#), "filters[0].amount", "from 0 to 4"),
    Case(one(#""filter": "contrast", "amount": 1, "pivot": 2"#), "filters[0].pivot", "from 0 to 1"),
    Case(
      one(#""filter": "crop", "x": 0, "y": 0, "width": 1, "height": 1, "unit": "pixels""#),
      "filters[0].unit", "did you mean pixel?"),
    Case(
      one(#""filter": "crop", "x": 0.5, "y": 0, "width": 0.6, "height": 1"#), "filters[0].width",
      "must not add up to more than 1"),
    Case(
      one(#""filter": "crop", "x": 0, "y": 0, "width": 1, "height": 0"#), "filters[0].height",
      "must be more than 0"),
    Case(
      one(#""filter": "crop", "x": 1.5, "y": 0, "width": 10, "height": 10, "unit": "pixel""#),
      "filters[0].x", "whole number of pixels"),
    Case(
      one(#""filter": "crop", "x": -1, "y": 0, "width": 10, "height": 10, "unit": "pixel""#),
      "filters[0].x", "not -1"),
    Case(
      one(#""filter": "toneCurve", "points": 1"#), "filters[0].points",
      "an array of [x, y], not a number"),
    Case(
      one(#""filter": "toneCurve", "points": [[0, 0]]"#), "filters[0].points",
      "there are 1 points; from 2"),
    Case(
      one(#""filter": "toneCurve", "points": [[0, 0], [0.5, 0.5], [0.5, 0.6]]"#),
      "filters[0].points[2]", "x must rise: 0.5 comes after 0.5"),
    Case(
      one(#""filter": "toneCurve", "points": [[0, 0], [1, 1.1]]"#), "filters[0].points[1]",
      "from 0 to 1"),
    Case(
      one(#""filter": "toneCurve", "points": [[0, 0, 0], [1, 1]]"#), "filters[0].points[0]",
      "[x, y]"),
    Case(
      one(#""filter": "toneCurve", "points": [["0", 0], [1, 1]]"#), "filters[0].points[0]", "[x, y]"
    ),
    Case(one(#""filter": "toneCurve", "points": [{}, [1, 1]]"#), "filters[0].points[0]", "[x, y]"),
    Case(one(#""filter": "toneCurve""#), "filters[0].points", "points is missing"),
    Case(
      one(#""filter": "toneCurve", "luminance": [[0, 0], [0, 1]]"#), "filters[0].luminance[1]",
      "x must rise"),
    Case(
      one(#""filter": "levels", "black": 0.5, "white": 0.509"#), "filters[0].white",
      "at least 0.01 above black"),
    Case(
      one(#""filter": "levels", "red": [0.5, 0.4, 1, 0, 1]"#), "filters[0].red",
      "at least 0.01 above black"),
    Case(
      one(#""filter": "levels", "blue": [0, 2, 1, 0, 1]"#), "filters[0].blue",
      "white must be a number from 0 to 1"),
    Case(
      one(#""filter": "levels", "green": [0, 1, 0.01, 0, 1]"#), "filters[0].green",
      "gamma must be a number from 0.1 to 10"),
    Case(one(#""filter": "levels", "green": [0, 1, 1, 0]"#), "filters[0].green", "5"),
  ]

  @Test("each mistake is named with its field and what would be right", arguments: cases)
  func named(mistake: Case) throws {
    let problem = try problem(mistake.text)
    #expect(problem.field == mistake.field)
    #expect(problem.message.contains(mistake.says), "\(problem.message)")
  }

  @Test("all problems are reported at once, each at its place")
  func together() {
    let text = #"{"filters": [{"filter": "exposure", "ev": 20, "gain": 1}, {"filter": "x"}, 3]}"#
    guard case .invalid(let problems) = decode(text) else {
      Issue.record("no problems")
      return
    }
    #expect(
      problems.map(\.field) == [
        "filters[0].gain", "filters[0].ev", "filters[1].filter", "filters[2]",
      ])
    let places = problems.map {
      String(decoding: Array(text.utf8)[$0.offset...].prefix(2), as: UTF8.self)
    }
    #expect(places == ["\"g", "20", "\"x", "3]"])
  }

  @Test("256 points and 256 filters are taken, one more is not")
  func counts() throws {
    func points(_ count: Int) -> String {
      let pairs = (0..<count).map { "[\(Double($0) / 1000), 0.5]" }
      return one("\"filter\": \"toneCurve\", \"points\": [\(pairs.joined(separator: ","))]")
    }
    #expect(try steps(points(256)).count == 1)
    #expect(try problem(points(257)).field == "filters[0].points")
    func filters(_ count: Int) -> String {
      let each = Array(repeating: #"{"filter": "exposure", "ev": 0}"#, count: count)
      return "{\"filters\": [\(each.joined(separator: ","))]}"
    }
    #expect(try steps(filters(256)).count == 256)
    #expect(try problem(filters(257)).field == "filters")
  }

  @Test("names from a stranger are shown escaped and short")
  func escaped() throws {
    let long = String(repeating: "a", count: 500)
    #expect(try problem(one(#""filter": "\#(long)""#)).message.count < 250)
    let message = try problem(one(#""filter": "\u001b[2J""#)).message
    #expect(message.contains("\\u{1B}[2J"))
    #expect(!message.unicodeScalars.contains("\u{1B}"))
  }

  @Test("overlay refuses a mask, and is not offered one for a member that is unknown")
  func overlayMask() throws {
    let overlay = #""filter": "overlay", "path": "m.png""#
    let refused = try problem(one(#"\#(overlay), "mask": {"mask": "radial", "radius": [1, 1]}"#))
    #expect(refused.field == "filters[0].mask")
    #expect(refused.message.contains("takes no mask"))
    for misspelt in ["maks", "unknown"] {
      let message = try problem(one(#"\#(overlay), "\#(misspelt)": 1"#)).message
      #expect(!message.contains("mask"), "\(message)")
      #expect(message.contains("opacity") || message.contains("did you mean"), "\(message)")
    }
  }

  @Test("names far from all known ones get no suggestion")
  func nearest() {
    #expect(
      Spelling.nearest(to: "tempratureTint", among: ["temperatureTint", "tint"])
        == "temperatureTint")
    #expect(Spelling.nearest(to: "wdith", among: ["width", "height"]) == "width")
    #expect(Spelling.nearest(to: "z", among: ["x", "y"]) == "x")
    #expect(Spelling.nearest(to: "vignette", among: ["width", "height"]) == nil)
    #expect(Spelling.nearest(to: "", among: ["width"]) == nil)
  }
}
