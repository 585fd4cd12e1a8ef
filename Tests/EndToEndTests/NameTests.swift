import Glibc
import JSONText
import RenderModel
import SystemSupport
import Testing

/// File names as photo libraries really have them, rendered, reported exactly and shown safely.
@Suite("Odd names")
struct NameTests {
  static let names: [String] = [
    "space and (brackets).png", "-leading-dash.png", "new\nline.png", "tab\tname.png",
    "quote'\".png", "semi;colon&amp.png", "$HOME `id`.png", "percent%20%n.png",
    "brackets[0].png", "brackets[Q=1,strip].png", "colon:name.png", "back\\slash.png",
    "M\u{E4}rz\u{E7}o.png", "nfd/Ma\u{308}rzc\u{327}o.png", "\u{5199}\u{771F}.png",
    "\u{1F4F7}.png", ".hidden.png", "trailing space .png", "no-extension", "UPPER.PNG",
    "double..dots.png", "comma,pipe|.png", "~tilde.png", "#hash?query.png",
    "escape\u{1B}[31mred.png", "csi\u{9B}31m.png", "bidi\u{202E}gnp.png", "bell\u{7}\u{8}.png",
    "{stem}.png", String(repeating: "x", count: 251) + ".png",
  ]
  /// `\xFF\xFE.png` and the Latin-1 form of `café.png`.
  static let invalid: [[UInt8]] = [
    [0xFF, 0xFE] + Array(".png".utf8), Array("caf".utf8) + [0xE9] + Array(".png".utf8),
  ]

  @Test("a name that says another type is noted, and nothing else is")
  func otherType() throws {
    let scene = try RenderScene()
    for name in ["wrong.HEIC", "right.PNG", "none"] { try scene.draw(name) }
    try scene.write(assets: ["wrong.HEIC", "right.PNG", "none"])
    #expect(try scene.render().exitStatus == 0)
    let reports = try scene.lastRun().reports
    let notes = reports["wrong.HEIC"]?["asset"]?["notes"]?.array?.compactMap(\.string)
    #expect(notes == ["the name ends in .HEIC, but the bytes are of type public.png"])
    for name in ["right.PNG", "none"] { #expect(reports[name]?["asset"]?["notes"] == nil) }
  }

  private func scene() throws -> RenderScene {
    let scene = try RenderScene()
    let picture = Drawing.png(width: 12, height: 9)
    var jobs: [String] = []
    for name in Self.names {
      try scene.folder.write(Array("library/\(name)".utf8), picture)
      jobs.append("{\"asset\": \(JSONEscaping.literal(name))}")
    }
    for name in Self.invalid {
      try scene.folder.write(Array("library/".utf8) + name, picture)
      jobs.append("{\"assetBytes\": \"\(Base64.encode(name))\"}")
    }
    // Names that appear among the failures as well.
    jobs.append("{\"asset\": \"gone\\u001b[2J\\n\\u009b1m.png\"}")
    jobs.append("{\"assetBytes\": \"\(Base64.encode([0x1B, 0x5B, 0x32, 0x4A, 0xFF]))\"}")
    try scene.write(
      jobs: jobs,
      defaults: """
        {"renditions": [{"name": "full", "type": "public.png"}],
         "output": "{directory}/{stem}.{extension}"}
        """)
    return scene
  }

  @Test("every name renders, is reported exactly, and nothing shown holds a control character")
  func names() throws {
    let scene = try scene()
    let end = try scene.start([], progress: "plain").wait()
    #expect(end.exitStatus == 3, "\(end.errorText)")
    let run = try scene.lastRun()
    #expect(run.isBalanced)
    let reports = run.reports
    for name in Self.names {
      // Byte by byte: the composed and the decomposed form are equal as strings.
      let report = reports.values.first { report in
        report["asset"]?["path"]?.string.map { $0.utf8.elementsEqual(name.utf8) } ?? false
      }
      #expect(report?.outcome == "rendered", "\(name): \(report?.detail ?? "no report")")
    }
    for name in Self.invalid {
      let report = reports.values.first {
        $0["asset"]?["pathBytes"]?.string == Base64.encode(name)
      }
      #expect(report?.outcome == "rendered", "\(report?.detail ?? "no report")")
      let rendition = report?["renditions"]?.array?.first
      #expect(rendition?["pathBytes"]?.string == Base64.encode(name))
    }
    #expect(run.total("failed") == 2)

    let outputs = try scene.folder.files(in: "out").filter { !$0.starts(with: Array(".mini".utf8)) }
    let wanted =
      Self.names.map { name -> [UInt8] in
        if name == "no-extension" { return Array("no-extension.png".utf8) }
        return Array((name == "UPPER.PNG" ? "UPPER.png" : name).utf8)
      } + Self.invalid
    #expect(Set(outputs) == Set(wanted))

    for (place, bytes) in [
      ("stdout", end.output), ("stderr", end.errors), ("the journal", run.text),
      ("the manifest's summary", try summaryText(scene)),
    ] {
      #expect(Self.unsafeCharacters(bytes) == [], "in \(place)")
    }
    #expect(try scene.render(["--fail-on", "none"]).exitStatus == 0)
    #expect(try scene.lastRun().total("fresh") == Self.names.count + Self.invalid.count)
  }

  private func summaryText(_ scene: RenderScene) throws -> [UInt8] {
    let run = try #require(try scene.lastRun().summary?["run"]?.string)
    return try scene.folder.read("out/.minilab/runs/\(run)/summary.json")
  }

  /// What could move a cursor, end a line early, or turn text around.
  private static func unsafeCharacters(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else { return ["invalid UTF-8"] }
    return text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }.map { "U+" + String($0.value, radix: 16) }
  }

  @Test("a folder in place of a manifest takes all of them too")
  func folder() throws {
    let scene = try scene()
    let end = try RunningProgram(
      BuiltPrograms.minilab,
      [
        "render", scene.folder.path + "/library", "--output", scene.output, "--progress", "plain",
        "--format", "json",
      ]
    ).wait()
    // The longest name has no room for the rendition's name.
    #expect(end.exitStatus == 3, "\(end.errorText)")
    let summary = try JSONValue(text: end.output)
    let totals = try #require(summary["totals"])
    #expect(totals["failed"]?.number?.integer == 1)
    #expect(summary["failures"]?.array?.first?["code"]?.string == "nameTooLong")
    // Hidden files are no photos.
    #expect(
      totals["rendered"]?.number?.integer == Self.names.count - 2 + Self.invalid.count)
    #expect(Self.unsafeCharacters(end.output) == [])
    #expect(Self.unsafeCharacters(end.errors) == [])
  }

  @Test("names that are one file to people are refused before anything is written")
  func collisions() throws {
    let scene = try RenderScene()
    let names = ["Fr\u{ED}test", "Fri\u{301}test"]
    for (index, name) in names.enumerated() { try scene.draw("\(name).png", seed: index) }
    try scene.write(assets: names.map { $0 + ".png" })
    let end = try scene.render()
    #expect(end.exitStatus == 65)
    #expect(try scene.outputs() == [])
    // On a target that ignores case, names that differ in it are one file as well.
    let cased = try RenderScene()
    for (index, name) in ["a.png", "A.png"].enumerated() { try cased.draw(name, seed: index) }
    try cased.write(assets: ["a.png", "A.png"])
    #expect(try cased.render(["--case-insensitive", "yes"]).exitStatus == 65)
    #expect(try cased.outputs() == [])
    #expect(try cased.render().exitStatus == 0)
    #expect(try cased.outputs().count == 2)
  }

  @Test("an output folder whose name is not UTF-8 is that folder and no other")
  func outputFolder() throws {
    let scene = try RenderScene()
    try scene.fill(1)
    let name: [UInt8] = Array("out".utf8) + [0xFF]
    // Arguments are C strings: the bytes go through the shell's own quoting.
    let end = try RunningProgram(
      "/bin/sh",
      [
        "-c",
        "exec \"$0\" render \"$1\" --progress none --output \"$2/$(printf 'out\\377')\"",
        BuiltPrograms.minilab, scene.folder.path + "/manifest.json", scene.folder.path,
      ]
    ).wait()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let entries = try scene.folder.directory.entries().map(\.name)
    #expect(entries.contains(name))
    #expect(entries.count == 3)
  }
}
