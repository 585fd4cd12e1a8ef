import JSONText
import RenderModel
import SystemSupport
import Testing

/// Inputs recreated from public bug reports of other programs, with the values that are right.
@Suite("Reported inputs", .enabled(if: Corpus.isThere))
struct ReportedInputTests {
  /// Runs jobs over one folder of the reports; outputs are PNG at full size unless the jobs differ.
  private func run(_ folder: String, _ jobs: [String], defaults: String? = nil) throws
    -> (scene: RenderScene, end: ProgramEnd)
  {
    let scene = try RenderScene()
    try scene.write(
      jobs: jobs,
      defaults: defaults
        ?? """
        {"renditions": [{"name": "full", "type": "public.png", "colorSpace": "sRGB"}],
         "output": "{job}.{extension}"}
        """)
    let path = try #require(Corpus.path)
    return (scene, try scene.render(["--library", "\(path)/reports/\(folder)"]))
  }

  private func picture(_ scene: RenderScene, _ name: String) throws -> PNGPicture {
    try PNGPicture(try scene.folder.read("out/" + name))
  }

  private func isNear(_ pixel: [Int], _ wanted: [Int], within: Int) -> Bool {
    zip(pixel, wanted).allSatisfy { abs($0 - $1) <= within }
  }

  /// What is stored at (100, 450), (100, 150), (300, 450) and (300, 150), and where it is shown.
  private static let quadrants = [
    (150, 100, [220, 30, 30]), (450, 100, [30, 170, 61]), (150, 300, [41, 70, 210]),
    (450, 300, [230, 200, 40]),
  ]

  @Test("01: a turned photo is turned once, and its render is not turned again")
  func rotatedTwice() throws {
    let (scene, end) = try run(
      "01-rotated-twice",
      [
        "{\"id\": \"a\", \"asset\": \"in.jpg\"}",
        """
        {"id": "b", "asset": "in.jpg",
         "renditions": [{"name": "full", "type": "public.jpeg", "metadata": "keep"}]}
        """,
      ])
    #expect(end.exitStatus == 0)
    try scene.folder.write("again/b.jpg", try scene.folder.read("out/b.jpg"))
    try scene.write(
      jobs: ["{\"id\": \"c\", \"asset\": \"b.jpg\", \"output\": \"c.{extension}\"}"])
    try scene.render(["--library", scene.folder.path + "/again"])
    for name in ["a.png", "c.png"] {
      let picture = try picture(scene, name)
      #expect(picture.width == 600 && picture.height == 400, "\(name)")
      // The quadrants as they are stored, turned by a quarter.
      for (x, y, colour) in Self.quadrants {
        let pixel = picture.pixel(x, y)
        #expect(isNear(pixel, colour, within: 6), "\(name) at \(x), \(y): \(pixel)")
      }
    }
  }

  @Test("03: Display P3 becomes sRGB by its colours, not by its numbers")
  func displayP3() throws {
    let (scene, _) = try run(
      "03-p3-washed-out",
      [
        "{\"id\": \"png\", \"asset\": \"p3-patches.png\"}",
        "{\"id\": \"jpeg\", \"asset\": \"p3-patches.jpg\"}",
      ])
    // Measured with Little CMS, relative colorimetric.
    let wanted = [
      [255, 0, 0], [0, 255, 0], [217, 42, 52], [0, 183, 57], [128, 128, 128], [238, 188, 144],
    ]
    for (name, tolerance) in [("png", 2), ("jpeg", 5)] {
      let picture = try picture(scene, name + ".png")
      for (index, colour) in wanted.enumerated() {
        let pixel = picture.pixel(index * 64 + 32, 32)
        #expect(isNear(pixel, colour, within: tolerance), "\(name) \(index): \(pixel)")
      }
    }
  }

  @Test("09: a white disc has no dark rim after it was made smaller")
  func alphaFringe() throws {
    let (scene, _) = try run(
      "09-alpha-fringe", ["{\"id\": \"a\", \"asset\": \"white-disc.png\"}"],
      defaults: """
        {"renditions": [{"name": "s", "type": "public.png", "targetSize": [128, 128]}],
         "output": "{job}.{extension}"}
        """)
    let picture = try picture(scene, "a.png")
    #expect(picture.width == 128 && picture.bands == 4)
    var seen = 0
    for y in 0..<picture.height {
      for x in 0..<picture.width where picture.pixel(x, y)[3] > 8 {
        seen += 1
        #expect(picture.pixel(x, y)[..<3].allSatisfy { $0 >= 250 }, "\(x), \(y)")
      }
    }
    #expect(seen > 1000)
  }

  @Test("14: names that are one after normalisation are refused before any is written")
  func nameCollisions() throws {
    let jobs = [("a", "Fr\\u00edtest"), ("b", "Fri\\u0301test"), ("c", "FR\\u00cdTEST")].map {
      "{\"id\": \"\($0)\", \"asset\": \"\($0).png\", \"output\": \"\($1).jpg\"}"
    }
    let (scene, end) = try run("14-name-collisions", jobs)
    #expect(end.exitStatus == 65)
    #expect(try scene.outputs() == [])
  }

  @Test("15: 264 bytes fail alone, 255 work")
  func tooLongName() throws {
    let names = [
      String(repeating: "x", count: 251) + ".jpg", String(repeating: "\u{E9}", count: 130) + ".jpg",
      "ok.jpg",
    ]
    let jobs = zip(["a", "b", "c"], names).map {
      "{\"id\": \"\($0)\", \"asset\": \"\($0).png\", \"output\": \"\($1)\"}"
    }
    let (scene, end) = try run(
      "14-name-collisions", jobs, defaults: "{\"renditions\": [{\"name\": \"full\"}]}")
    #expect(end.exitStatus == 3)
    let reports = try scene.lastRun().reports
    #expect(reports["a"]?.outcome == "rendered")
    #expect(reports["b"]?.outcome == "failed(nameTooLong)")
    #expect(reports["c"]?.outcome == "rendered")
    #expect(try scene.outputs() == ["ok.jpg", names[0]])
  }

  @Test("16: five bad files end once each, the eight good ones render")
  func badFiles() throws {
    let good = ["g0", "g1", "g2", "g3", "h0", "h1", "h2", "h3"]
    let bad = [
      ("zero", "zero.jpg"), ("cut", "cut.jpg"), ("noise", "noise.jpg"), ("text", "text.heic"),
      ("missing", "not-there.jpg"),
    ]
    let jobs = (good.map { ($0, "good.jpg") } + bad).map {
      "{\"id\": \"\($0)\", \"asset\": \"\($1)\"}"
    }
    let (scene, end) = try run("16-bad-file-blocks-queue", jobs)
    #expect(end.exitStatus == 3)
    let run = try scene.lastRun()
    #expect(run.reportCounts.values.allSatisfy { $0 == 1 })
    #expect(good.allSatisfy { run.reports[$0]?.outcome == "rendered" })
    for (job, _) in bad {
      #expect(run.reports[job]?["outcome"]?["state"]?.string == "failed", "\(job)")
      #expect(run.reports[job]?["outcome"]?["code"]?.string != nil, "\(job)")
    }
    #expect(run.total("rendered") == 8 && run.total("failed") == 5)
  }

  @Test("17: what lacks 40 percent is no success; what lacks only its end marker is")
  func truncated() throws {
    let (scene, _) = try run(
      "17-truncated-passes-silently",
      [
        "{\"id\": \"whole\", \"asset\": \"complete.jpg\"}",
        "{\"id\": \"cut\", \"asset\": \"cut-at-60-percent.jpg\"}",
        "{\"id\": \"end\", \"asset\": \"last-2-bytes-missing.jpg\"}",
      ])
    let reports = try scene.lastRun().reports
    #expect(reports["whole"]?.outcome == "rendered")
    #expect(reports["cut"]?.outcome == "failed(truncated)")
    #expect(reports["end"]?.outcome == "rendered", "\(reports["end"]?.detail ?? "")")
    #expect(try scene.outputs() == ["end.png", "whole.png"])
  }

  @Test("18: harmless warnings change no pixel")
  func harmlessWarnings() throws {
    let (scene, _) = try run(
      "",
      [
        "{\"id\": \"whole\", \"asset\": \"17-truncated-passes-silently/complete.jpg\"}",
        """
        {"id": "sos",
         "asset": "18-harmless-warning-must-not-fail/bad-sos-parameters.jpg"}
        """,
        """
        {"id": "tail",
         "asset": "18-harmless-warning-must-not-fail/trailing-garbage.jpg"}
        """,
      ])
    let whole = try picture(scene, "whole.png")
    for name in ["sos.png", "tail.png"] {
      let other = try picture(scene, name)
      #expect(other.width == whole.width && other.height == whole.height)
      #expect(
        (0..<whole.height).allSatisfy { y in
          (0..<whole.width).allSatisfy { whole.pixel($0, y) == other.pixel($0, y) }
        }, "\(name)")
    }
  }

  @Test("19: a side that WebP cannot hold fails with the limit named, and fits when it is smaller")
  func webPLimit() throws {
    func job(_ id: String, _ rendition: String) -> String {
      "{\"id\": \"\(id)\", \"asset\": \"tall.jpg\", \"renditions\": [\(rendition)]}"
    }
    let (scene, _) = try run(
      "19-webp-size-limit",
      [
        job("w", "{\"name\": \"r\", \"type\": \"org.webmproject.webp\"}"),
        job(
          "s",
          "{\"name\": \"r\", \"type\": \"org.webmproject.webp\", \"targetSize\": [2000, 2000]}"),
        job("j", "{\"name\": \"r\", \"type\": \"public.jpeg\"}"),
      ])
    let reports = try scene.lastRun().reports
    #expect(reports["w"]?["outcome"]?["state"]?.string == "failed")
    #expect(reports["w"]?.detail?.contains("16383") == true, "\(reports["w"]?.detail ?? "")")
    for (job, width, height) in [("s", 4, 2000), ("j", 40, 20000)] {
      let rendition = reports[job]?["renditions"]?.array?.first
      #expect(rendition?["width"]?.number?.integer == width, "\(job)")
      #expect(rendition?["height"]?.number?.integer == height, "\(job)")
    }
  }

  @Test("20: what a file is, its bytes say and not its name")
  func wrongExtension() throws {
    let (scene, end) = try run(
      "20-wrong-extension",
      ["jpeg-inside.HEIC", "png-inside.jpg", "no_extension"].map { "{\"asset\": \"\($0)\"}" })
    #expect(end.exitStatus == 0)
    let reports = try scene.lastRun().reports
    #expect(reports["jpeg-inside.HEIC"]?["asset"]?["type"]?.string == "public.jpeg")
    #expect(reports["png-inside.jpg"]?["asset"]?["type"]?.string == "public.png")
    for name in ["jpeg-inside.HEIC", "png-inside.jpg"] {
      #expect(reports[name]?["asset"]?["notes"]?.array?.count == 1)
    }
    #expect(reports["no_extension"]?["asset"]?["type"]?.string == "public.jpeg")
    #expect(reports.values.allSatisfy { $0.outcome == "rendered" })
  }
}
