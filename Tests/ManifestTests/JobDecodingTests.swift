import Manifest
import RenderModel
import Testing

@Suite("From a manifest to jobs")
struct JobDecodingTests {
  private func only(_ text: String, _ options: ManifestOptions = .init()) throws -> Job {
    let checked = try Checked(text, options)
    #expect(checked.problems == [])
    return try #require(try checked.jobs().first)
  }

  @Test("a job that says nothing is rendered by the defaults of the format")
  func nothing() throws {
    let job = try only(manifest(job: #"{"asset": "2024/a.HEIC"}"#))
    #expect(
      job
        == Job(
          id: "2024/a.HEIC", asset: RelativePath("2024/a.HEIC"), adjustment: .sidecar,
          outputs: [
            Job.Output(rendition: Rendition(name: "full", type: .jpeg), template: .standard)
          ], deadline: DeadlinePolicy(baseMilliseconds: 30_000), limits: RenderLimits(),
          tolerant: false, onKept: .leave, reportTemplate: nil))
  }

  @Test("every key of a job and a rendition is read")
  func everything() throws {
    let job = try only(
      manifest(
        job: """
          {"id": "é", "asset": "a.jpg", "deadline": {"base": "1m", "perMegapixel": "2s"},
           "adjustment": "edits/a.XMP", "tolerant": true, "onKept": "leave",
           "rawSource": "embeddedPreview",
           "limits": {"pixels": 1, "side": 2, "pages": 3, "inputBytes": 4},
           "output": "x/{stem}.{rendition}", "report": "r/{stem}.json",
           "renditions": [{"name": "p", "type": "public.tiff", "targetSize": [10, 0],
             "contentMode": "aspectFill", "deliveryMode": "fast", "enlarge": true, "quality": 1e1,
             "bitDepth": 16, "colorSpace": "displayP3", "metadata": "minimal",
             "location": "strip", "output": "{stem}.tif"}, {"name": "q", "colorSpace": {"profile": "p/a.icc"},
             "renderingIntent": "perceptual", "blackPointCompensation": true}]}
          """))
    #expect(job.id == "é")
    #expect(
      job.deadline == DeadlinePolicy(baseMilliseconds: 60_000, perMegapixelMilliseconds: 2000))
    #expect(job.adjustment == .file(RelativePath("edits/a.XMP")))
    #expect(job.tolerant)
    #expect(job.rawSource == .embeddedPreview)
    #expect(job.limits == RenderLimits(pixels: 1, side: 2, pages: 3, inputBytes: 4))
    #expect(job.reportTemplate == (try OutputTemplate.parse("r/{stem}.json")))
    #expect(
      job.outputs == [
        Job.Output(
          rendition: Rendition(
            name: "p", type: .tiff, targetSize: Rendition.TargetSize(width: 10, height: 0),
            contentMode: .aspectFill, deliveryMode: .fast, enlarge: true, quality: 10,
            bitDepth: 16, colorSpace: .displayP3, metadata: .minimal, location: .strip),
          template: try OutputTemplate.parse("{stem}.tif")),
        Job.Output(
          rendition: Rendition(
            name: "q", profile: "p/a.icc", renderingIntent: .perceptual,
            blackPointCompensation: true),
          template: try OutputTemplate.parse("x/{stem}.{rendition}")),
      ])
  }

  @Test("a job overrides each default, and leaves the others")
  func overrides() throws {
    let header =
      #"{"minilab": 1, "defaults": {"deadline": "5s", "adjustment": "none", "tolerant": true, "rawSource": "sensor", "limits": {"pixels": 10, "side": 20}, "output": "d/{stem}", "report": "{stem}.json", "renditions": [{"name": "d"}]}}"#
    let jobs = try Checked(
      header + "\n"
        + [
          #"{"asset": "0"}"#, #"{"asset": "1", "deadline": "7s"}"#,
          #"{"asset": "2", "adjustment": "sidecar"}"#,
          #"{"asset": "3", "tolerant": false}"#, #"{"asset": "4", "limits": {"side": 21}}"#,
          #"{"asset": "5", "renditions": [{"name": "own"}]}"#,
          #"{"asset": "6", "output": "o/{stem}"}"#,
          #"{"asset": "7", "report": "own/{stem}.json", "rawSource": "embeddedPreview"}"#,
        ].joined(separator: "\n")
    ).jobs()
    try #require(jobs.count == 8)
    #expect(
      jobs.map(\.deadline.baseMilliseconds) == [5000, 7000] + Array(repeating: 5000, count: 6))
    #expect(
      jobs.map { $0.adjustment == .sidecar } == [
        false, false, true, false, false, false, false, false,
      ])
    #expect(jobs.map(\.tolerant) == [true, true, true, false, true, true, true, true])
    #expect(jobs.map(\.rawSource) == Array(repeating: .sensor, count: 7) + [.embeddedPreview])
    #expect(jobs.map(\.limits.side) == [20, 20, 20, 20, 21, 20, 20, 20])
    #expect(jobs.map(\.limits.pixels) == Array(repeating: 10, count: 8))
    #expect(
      jobs.map { $0.outputs.map(\.rendition.name) } == [
        ["d"], ["d"], ["d"], ["d"], ["d"], ["own"], ["d"], ["d"],
      ])
    let own = try OutputTemplate.parse("o/{stem}")
    #expect(
      jobs.map { $0.outputs[0].template == own } == [
        false, false, false, false, false, false, true, false,
      ])
    #expect(jobs[7].reportTemplate == (try OutputTemplate.parse("own/{stem}.json")))
  }

  @Test("the command line has the last word on deadline and tolerance")
  func commandLine() throws {
    var options = ManifestOptions()
    options.deadline = DeadlinePolicy(baseMilliseconds: 1)
    options.tolerant = false
    for job in [
      #"{"asset": "a", "deadline": "9s", "tolerant": true}"#,
      #"{"asset": "a", "tolerant": true, "output": "x"}"#,
    ] {
      let job = try only(manifest(job: job), options)
      #expect(job.deadline.baseMilliseconds == 1)
      #expect(!job.tolerant)
    }
  }

  @Test(
    "a report without a folder is placed beside the first rendition",
    arguments: [
      ("{directory}/{stem}.{extension}", "{stem}.report.json", "2024/a.report.json"),
      ("x/{rendition}/{stem}", "r.json", "x/full/r.json"),
      ("{directory}/x-{stem}", "r.json", "2024/r.json"),
      ("flat", "r.json", "r.json"),
      ("x/{stem}", "own/r.json", "own/r.json"),
      ("x/{stem}", "{directory}.json", "2024.json"),
    ])
  func report(output: String, report: String, path: String) throws {
    let job = try only(
      manifest(job: #"{"asset": "2024/a.png", "output": "\#(output)", "report": "\#(report)"}"#))
    let values = OutputTemplate.Values(
      job: job.id, asset: job.asset, rendition: "full", type: .jpeg)
    #expect(job.reportTemplate?.path(values).map(\.displayed) == .success(path))
  }

  @Test("a record in the manifest is kept byte for byte", arguments: [true, false])
  func record(asLines: Bool) throws {
    let data = #"{ "filters":[ {"filter":"exposure",  "ev":4.0e-1} ] }"#
    let job =
      #"{"asset": "a", "adjustment": {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0", "data": \#(data)}}"#
    let text = asLines ? "{\"minilab\": 1}\n{\"asset\": \"b\"}\n" + job : manifest(job: job)
    let jobs = try Checked(text).jobs()
    #expect(
      jobs.last?.adjustment
        == .record(
          AdjustmentRecord(
            formatIdentifier: "org.minilab.adjustments", formatVersion: "1.0",
            data: Array(data.utf8))))
  }

  @Test("a name that is not UTF-8 is given in base64 and has a printable id")
  func assetBytes() throws {
    let job = try only(manifest(job: #"{"assetBytes": "Y2Fm6S5qcGc="}"#))
    #expect(job.asset.bytes == Array("caf".utf8) + [0xE9] + Array(".jpg".utf8))
    #expect(job.id == "caf\\xE9.jpg")
    #expect(try only(manifest(job: #"{"assetBytes": "YS5qcGc="}"#)).id == "a.jpg")
  }

  @Test(
    "odd names are names",
    arguments: [
      "space and (brackets).jpg", "-leading-dash.jpg", "new\\nline.jpg", "tab\\tname.jpg",
      "quote'\\\".jpg", "$HOME `id`.jpg",
      "percent%20%n.jpg", "brackets[0].jpg", "colon:name.jpg", "back\\\\slash.jpg",
      "\\u5199\\u771f.jpg",
      "\\ud83d\\udcf7.jpg", ".hidden.jpg", "trailing space .jpg", "no-extension",
      "double..dots.jpg", "\\u001b[2J.jpg",
    ])
  func oddNames(name: String) throws {
    let job = try only(manifest(job: "{\"asset\": \"\(name)\"}"))
    #expect(job.asset.string == job.id)
    let values = OutputTemplate.Values(
      job: job.id, asset: job.asset, rendition: "full", type: .jpeg)
    let output = try job.outputs[0].template.path(values).get()
    #expect(output.components.count == 1)
    #expect(output.bytes.starts(with: job.asset.stem))
  }

  @Test(
    "the library is beside the manifest unless it is absolute or given",
    arguments: [
      ("", "/"), (#", "library": "photos""#, "/photos"), (#", "library": "../x""#, "/../x"),
    ])
  func library(member: String, suffix: String) throws {
    let checked = try Checked("{\"minilab\": 1\(member), \"jobs\": []}")
    #expect(checked.source.libraryPath == checked.folder.path + suffix)
  }

  @Test("an absolute library is taken as it is, and the command line's before all")
  func otherLibraries() throws {
    let text = #"{"minilab": 1, "library": "/photos", "jobs": []}"#
    #expect(try Checked(text).source.libraryPath == "/photos")
    var options = ManifestOptions()
    options.library = "elsewhere"
    #expect(try Checked(text, options).source.libraryPath == "elsewhere")
  }

  @Test("no more jobs are given out than asked for, and all are checked")
  func limit() throws {
    var options = ManifestOptions()
    options.limit = 2
    let checked = try Checked(
      "{\"minilab\": 1}\n" + (0..<5).map { "{\"asset\": \"\($0)\"}" }.joined(separator: "\n"),
      options)
    #expect(checked.check.jobCount == 2)
    #expect(try checked.jobs().map(\.id) == ["0", "1"])
    #expect(
      try Checked(
        "{\"minilab\": 1}\n{\"asset\": \"a\"}\n{\"asset\": \"b\"}\n{\"asset\": \"c\", \"x\": 1}",
        options
      ).problems.count == 1)
  }

  @Test("the reader can stop, and begin again")
  func stops() throws {
    let checked = try Checked("{\"minilab\": 1}\n{\"asset\": \"a\"}\n{\"asset\": \"b\"}")
    var seen = 0
    try checked.source.jobs { _ in
      seen += 1
      return false
    }
    #expect(seen == 1)
    #expect(try checked.jobs().count == 2)
  }

  @Test("what the reader throws comes through")
  func throwing() throws {
    struct Failure: Error {}
    let checked = try Checked(manifest(job: #"{"asset": "a"}"#))
    #expect(throws: Failure.self) { try checked.source.jobs { _ in throw Failure() } }
  }
}

@Suite("Jobs that fail by themselves")
struct InvalidJobTests {
  private var options: ManifestOptions {
    var options = ManifestOptions()
    options.invalidJobs = .failJob
    return options
  }

  @Test(
    "with fail-job, only the wrong jobs are invalid, each with its problem and an id of its own")
  func failJob() throws {
    let checked = try Checked(
      """
      {"minilab": 1}
      {"asset": "a"}
      {"asset": "b", "x": 1}
      {"asset": "c"
      {"asset": "d", "id": "a"}
      {"asset": "a.png", "output": "a.full.jpg"}
      {"assets": {"from": "nowhere"}}
      {"asset": "e"}
      """, options)
    #expect(checked.check.isValid)
    #expect(checked.check.jobProblems.map(\.line) == [3, 4, 5, 6, 7])
    #expect(checked.check.jobCount == 2)
    #expect(checked.check.invalidCount == 5)
    let lines = try checked.lines().map { line in
      switch line {
      case .job(let job): "job \(job.id)"
      case .invalid(let id, let problem): "invalid \(id): \(problem.line) \(problem.field)"
      case .skipped(let asset, _): "skipped \(asset.displayed)"
      }
    }
    #expect(
      lines == [
        "job a", "invalid b: 3 x", "invalid line 4: 4 ", "invalid a (line 5): 5 id",
        "invalid a.png: 6 output",
        "invalid line 7: 7 assets", "job e",
      ])
  }

  @Test("the check's word on a job holds for the same job when jobs are given out")
  func afterSelection() throws {
    let folder = try TemporaryFolder()
    for name in ["p/a.jpg", "p/b.jpg", "p/c.txt", "q/d.jpg"] { try folder.write(name, Magic.jpeg) }
    try folder.write("p/c.txt", "text")
    let checked = try Checked(
      """
      {"minilab": 1}
      {"asset": "p/b.jpg"}
      {"assets": {"from": "p"}}
      {"assets": {"from": "q"}}
      {"asset": "z", "output": "q/d.full.jpg"}
      """, folder: folder, options)
    let lines = try checked.lines().map { line in
      switch line {
      case .job(let job): "job \(job.id)"
      case .invalid(let id, let problem): "invalid \(id): \(problem.line)"
      case .skipped(let asset, _): "skipped \(asset.displayed)"
      }
    }
    #expect(
      lines == [
        "job p/b.jpg", "job p/a.jpg", "invalid p/b.jpg (line 3): 3", "skipped p/c.txt",
        "job q/d.jpg",
        "invalid z: 5",
      ])
    #expect(checked.check.jobCount == 3)
    #expect(checked.check.invalidCount == 2)
    #expect(checked.check.skippedCount == 1)
  }

  @Test("a mistake in the header still refuses the whole")
  func header() throws {
    let check = try Checked("{\"minilab\": 1, \"x\": 2}\n{\"asset\": \"a\"}", options).check
    #expect(!check.isValid)
    #expect(check.problems.map(\.field) == ["x"])
  }

  @Test("in an object, an invalid job that has no id is named by its place")
  func object() throws {
    let checked = try Checked(#"{"minilab": 1, "jobs": [{"x": 1}, 5]}"#, options)
    let ids = try checked.lines().map { line -> String in
      guard case .invalid(let id, _) = line else { return "valid" }
      return id
    }
    #expect(ids == ["jobs[0]", "jobs[1]"])
  }

  @Test("very many invalid jobs are all invalid, though not all in words")
  func many() throws {
    let text = "{\"minilab\": 1}\n" + String(repeating: "{\"asset\": \"a\"}\n", count: 12_000)
    let checked = try Checked(text, options)
    #expect(checked.check.jobProblems.count == 1000)
    #expect(checked.check.jobProblemsOmitted == 10_999)
    var ids: Set<String> = []
    var valid = 0
    try checked.source.jobs { line in
      switch line {
      case .job: valid += 1
      case .invalid(let id, let problem):
        ids.insert(id)
        #expect(!problem.message.isEmpty)
      case .skipped: Issue.record("skipped")
      }
      return true
    }
    #expect(valid == 1)
    #expect(ids.count == 11_999)
  }
}
