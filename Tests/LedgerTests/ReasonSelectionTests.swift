import Testing

@testable import Ledger

@Suite("Reasons that a run is narrowed to")
struct ReasonSelectionTests {
  private static let samples: [RenderReason] = [
    .new, .sourceChanged, .adjustmentChanged, .recipeChanged,
    .filterChanged(name: "exposure", from: 1, to: 2),
    .filterChanged(name: "blur", from: 1, to: nil),
    .lookChanged(file: "looks/a.cube"), .lookChanged(file: "b, new.cube"), .outputMissing,
    .outputDamaged, .engineDiffers, .forced,
  ]

  @Test(
    "names take in their reasons, and a colon narrows them further",
    arguments: [
      ("new", ["new"]), ("new,forced", ["new", "forced"]),
      ("filterChanged", ["filterChanged(exposure, 1, 2)", "filterChanged(blur, 1, none)"]),
      ("filterChanged:exposure", ["filterChanged(exposure, 1, 2)"]),
      (
        "filterChanged:exposure,filterChanged:blur,new",
        ["new", "filterChanged(exposure, 1, 2)", "filterChanged(blur, 1, none)"]
      ),
      ("filterChanged:none", []),
      ("lookChanged:looks/a.cube,engineDiffers", ["lookChanged(looks/a.cube)", "engineDiffers"]),
      ("new,lookChanged:b, new.cube", ["new", "lookChanged(b, new.cube)"]),
    ])
  func contains(text: String, expected: [String]) throws {
    let selection = try ReasonSelection(parsing: text)
    #expect(Self.samples.filter(selection.contains).map(\.description) == expected)
    #expect(selection.description == text)
  }

  @Test("every kind is a name, and the spelling of a reason begins with it")
  func kinds() throws {
    #expect(Set(Self.samples.map(\.kind)) == Set(RenderReason.Kind.allCases))
    for reason in Self.samples {
      #expect(reason.description.hasPrefix(reason.kind.rawValue))
      #expect(try ReasonSelection(parsing: reason.kind.rawValue).contains(reason))
    }
  }

  @Test(
    "what is no reason is refused, with the nearest name",
    arguments: [
      ("filterchanged", "did you mean 'filterChanged'?"), ("outputMising", "'outputMissing'"),
      ("", "there are new, sourceChanged"), ("new,,forced", "there is no reason ''"),
      ("mood", "there are new, sourceChanged"), ("new:a", "only filterChanged:NAME"),
      ("lookChanged:", "only filterChanged:NAME"), ("new\u{1B}", "new\\u{1B}"),
    ])
  func refused(text: String, words: String) {
    #expect {
      try ReasonSelection(parsing: text)
    } throws: { error in
      (error as? ReasonSelection.Fault)?.message.contains(words) == true
    }
  }
}
