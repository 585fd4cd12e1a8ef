import JSONText
import RenderModel
import Testing

@testable import CommandLineInterface

@Suite("minilab filters")
struct FiltersTests {
  @Test("without a name every filter and mask is listed by what it is for")
  func list() {
    let harness = ProgramHarness()
    #expect(harness.run(["filters"]) == .success)
    for word in ["Tone:", "exposure", "Colour:", "lut3d", "Looks:", "noir", "Masks:", "radial"] {
      #expect(harness.output.contains(word), "\(word)")
    }
    #expect(harness.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("with a name its version, parameters, formula and source are shown")
  func page() {
    let harness = ProgramHarness()
    #expect(harness.run(["filters", "exposure"]) == .success)
    for words in ["ev", "-10 … 10", "stops", "must be given", "2^ev", "ev 0"] {
      #expect(harness.output.contains(words), "\(words)")
    }
    #expect(!harness.output.contains("contrast"))
  }

  @Test("older versions are told, and Markdown has every filter and mask")
  func markdown() throws {
    let page = ProgramHarness()
    #expect(page.run(["filters", "levels"]) == .success)
    #expect(page.output.contains("Version 1:") && page.output.contains("has no clamp"))
    let one = ProgramHarness()
    #expect(one.run(["filters", "levels", "--format", "json"]) == .success)
    let older = try JSONParser.parse(Array(one.output.utf8)).value["older"]?.array
    #expect(older?.first?["version"]?.number?.integer == 1)
    #expect(older?.first?["difference"]?.string?.hasPrefix("It has no") == true)
    let whole = ProgramHarness()
    #expect(whole.run(["filters", "--format", "markdown"]) == .success)
    for words in ["## Tone", "### overlay", "## Masks", "### combine", "| `masks` |"] {
      #expect(whole.output.contains(words), "\(words)")
    }
  }

  @Test("an unknown name is a usage problem with the nearest one")
  func unknown() {
    let harness = ProgramHarness()
    #expect(harness.run(["filters", "expozure"]) == .usage)
    #expect(harness.talk.contains("did you mean 'exposure'?"))
    #expect(harness.output.isEmpty)
  }

  @Test("JSON has all members of every entry, as an array, or the one that was named")
  func json() throws {
    let harness = ProgramHarness()
    #expect(harness.run(["filters", "--format", "json"]) == .success)
    let list = try #require(try JSONParser.parse(Array(harness.output.utf8)).value.array)
    #expect(list.count > 40)
    for entry in list {
      for name in ["name", "kind", "version", "parameters", "formula", "source", "example"] {
        #expect(entry[name] != nil, "\(name)")
      }
      #expect(entry["example"]?.object != nil, "\(entry["name"]?.string ?? "")")
    }
    let one = ProgramHarness()
    #expect(one.run(["filters", "contrast", "--format", "json"]) == .success)
    let contrast = try JSONParser.parse(Array(one.output.utf8)).value
    let pivot = try #require(contrast["parameters"]?.array?.first { $0["name"]?.string == "pivot" })
    #expect(pivot["default"]?.number?.double == 0.5)
    #expect(pivot["minimum"]?.number?.double == 0)
    #expect(pivot["maximum"]?.number?.double == 1)
    #expect(pivot["required"]?.bool == false)
  }
}
