import Glibc
import Manifest
import RenderModel
import SystemSupport
import Testing

@Suite("Selections and folders")
struct SelectionTests {
  private func library() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("p/b.jpg", Magic.jpeg)
    try folder.write("p/a.png", Magic.png)
    try folder.write("p/a/z.jpg", Magic.jpeg)
    try folder.write("p/c.mov", Magic.movie)
    try folder.write("p/notes.txt", "text")
    try folder.write("p/b.AAE", "sidecar")
    try folder.write("p/b.xmp", "sidecar")
    try folder.write("p/.hidden.jpg", Magic.jpeg)
    try folder.write("p/.cache/x.jpg", Magic.jpeg)
    return folder
  }

  private func shown(_ checked: Checked) throws -> [String] {
    try checked.lines().map { line in
      switch line {
      case .job(let job): "\(job.asset.displayed)"
      case .invalid(let id, _): "invalid \(id)"
      case .skipped(let asset, let reason): "skipped \(asset.displayed): \(reason)"
      }
    }
  }

  @Test("the pictures of a folder become jobs by name, the others are skipped with their type")
  func folder() throws {
    let checked = try Checked(manifest(job: #"{"assets": {"from": "p/"}}"#), folder: library())
    #expect(checked.problems == [])
    #expect(
      try shown(checked) == [
        "p/a/z.jpg", "p/a.png", "p/b.jpg",
        "skipped p/c.mov: public.movie does not match public.image",
        "skipped p/notes.txt: public.data does not match public.image",
      ])
    #expect(checked.check.jobCount == 3)
    #expect(checked.check.skippedCount == 2)
    #expect(try checked.jobs().map(\.id) == ["p/a/z.jpg", "p/a.png", "p/b.jpg"])
  }

  @Test("a selection takes its settings and its place among the other jobs")
  func amongOthers() throws {
    let checked = try Checked(
      "{\"minilab\": 1}\n{\"asset\": \"0.jpg\"}\n{\"assets\": {\"from\": \"p\", \"matching\": [\"public.jpeg\"]}, \"deadline\": \"7s\"}\n{\"asset\": \"1.jpg\"}\n",
      folder: library())
    #expect(try checked.jobs().map(\.id) == ["0.jpg", "p/a/z.jpg", "p/b.jpg", "1.jpg"])
    #expect(try checked.jobs().map(\.deadline.baseMilliseconds) == [30_000, 7000, 7000, 30_000])
  }

  @Test(
    "matching counts the kinds of a type",
    arguments: [
      (["public.png"], ["p/a.png"]),
      (["public.jpeg", "public.png"], ["p/a/z.jpg", "p/a.png", "p/b.jpg"]),
      (["public.movie"], ["p/c.mov"]), (["public.data"], ["p/notes.txt"]),
    ])
  func matching(types: [String], names: [String]) throws {
    let list = types.map { "\"\($0)\"" }.joined(separator: ", ")
    let checked = try Checked(
      manifest(job: "{\"assets\": {\"from\": \"p\", \"matching\": [\(list)]}}"), folder: library())
    #expect(try checked.jobs().map(\.id) == names)
  }

  @Test("a limit ends the selection at its last asset")
  func limit() throws {
    let checked = try Checked(
      manifest(job: #"{"assets": {"from": "p", "limit": 2}}"#), folder: library())
    #expect(try shown(checked) == ["p/a/z.jpg", "p/a.png"])
    #expect(checked.check.skippedCount == 0)
  }

  @Test("by modification date, the oldest is first")
  func modificationDate() throws {
    let folder = try library()
    for (name, seconds) in [("p/b.jpg", 100), ("p/a.png", 300), ("p/a/z.jpg", 200)] {
      let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
      let result = unsafe utimensat(AT_FDCWD, folder.path + "/" + name, times, 0)
      try #require(result == 0)
    }
    let checked = try Checked(
      manifest(job: #"{"assets": {"from": "p", "ordered": "modificationDate", "limit": 3}}"#),
      folder: folder)
    #expect(try checked.jobs().map(\.id) == ["p/b.jpg", "p/a/z.jpg", "p/a.png"])
  }

  @Test("by capture date, through whoever can read it; photos without one are last")
  func captureDate() throws {
    var options = ManifestOptions()
    options.captureDates = { paths in
      paths.map {
        ["p/b.jpg": "2020-01-01T00:00:00", "p/a/z.jpg": "2021-01-01T00:00:00"][$0.displayed]
      }
    }
    let text = manifest(job: #"{"assets": {"from": "p", "ordered": "captureDate"}}"#)
    #expect(
      try Checked(text, folder: library(), options).jobs().map(\.id) == [
        "p/b.jpg", "p/a/z.jpg", "p/a.png",
      ])
    let problem = try #require(try Checked(text, folder: library()).problems.first)
    #expect(problem.field == "jobs[0].assets")
    #expect(problem.message.contains("captureDate"))
  }

  @Test(
    "a selection that gives nothing is a problem",
    arguments: [
      (#"{"from": "p", "matching": ["public.avif"]}"#, "nothing in \"p\" matches public.avif"),
      (#"{"from": "nowhere"}"#, "there is no folder \"nowhere\""),
      (#"{"from": "link"}"#, "symbolic link"),
      (#"{"from": "p/b.jpg"}"#, "cannot be read"),
    ])
  func nothing(assets: String, words: String) throws {
    let folder = try library()
    try folder.link("link", to: "p")
    let checked = try Checked(manifest(job: "{\"assets\": \(assets)}"), folder: folder)
    #expect(checked.places == ["2:12 jobs[0].assets"])
    #expect(checked.problems.first?.message.contains(words) == true, "\(checked.problems)")
    #expect(checked.check.jobCount == 0)
  }

  @Test("a selection from a library that is not there is a problem")
  func noLibrary() throws {
    let checked = try Checked(
      #"{"minilab": 1, "library": "/no/such/library", "jobs": [{"assets": {}}]}"#)
    #expect(checked.problems.first?.message.contains("library cannot be opened") == true)
  }

  @Test("links are skipped and said to be, and what cannot be opened fails aloud")
  func unusual() throws {
    let folder = try library()
    try folder.link("p/link.jpg", to: "b.jpg")
    try folder.write("p/locked.jpg", Magic.jpeg)
    let changed = unsafe chmod(folder.path + "/p/locked.jpg", 0)
    try #require(changed == 0)
    let checked = try Checked(manifest(job: #"{"assets": {"from": "p"}}"#), folder: folder)
    let shown = try shown(checked)
    #expect(shown.contains("skipped p/link.jpg: a symbolic link, and links are never followed"))
    #expect(shown.contains("p/locked.jpg"))
  }

  @Test(
    "bytes that are nothing fail aloud under a picture's name, where pictures are wanted",
    arguments: [("junk.jpg", true), ("junk.HEIC", true), ("junk.txt", false), ("junk", false)])
  func junk(name: String, isJob: Bool) throws {
    let folder = try library()
    try folder.write("p/" + name, "not a picture")
    let pictures = try Checked(manifest(job: #"{"assets": {"from": "p"}}"#), folder: folder)
    #expect(try pictures.jobs().map(\.id).contains("p/" + name) == isJob)
    let movies = try Checked(
      manifest(job: #"{"assets": {"from": "p", "matching": ["public.movie"]}}"#), folder: folder)
    #expect(try movies.jobs().map(\.id) == ["p/c.mov"])
  }

  @Test("an asset that is listed twice is reported at the later place")
  func twice() throws {
    let checked = try Checked(
      "{\"minilab\": 1}\n{\"assets\": {\"from\": \"p\"}}\n{\"asset\": \"p/b.jpg\"}\n",
      folder: library())
    #expect(checked.places == ["3:11 asset"])
    #expect(checked.problems[0].message.contains("the job in line 2 (\"p/b.jpg\")"))
    let reversed = try Checked(
      "{\"minilab\": 1}\n{\"asset\": \"p/b.jpg\"}\n{\"assets\": {\"from\": \"p\"}}\n",
      folder: library())
    #expect(reversed.places == ["3:12 assets"])
    #expect(reversed.problems[0].message.contains("\"p/b.jpg\" is taken by the job in line 2"))
  }

  @Test("a folder in place of a manifest means all its pictures")
  func wholeFolder() throws {
    let folder = try library()
    let source = try ManifestSource(path: folder.path)
    let check = try source.check()
    #expect(source.isFolder)
    #expect(source.libraryPath == folder.path)
    #expect(check.problems == [])
    #expect(check.jobCount == 3)
    var outputs: [String] = []
    try source.jobs { line in
      guard case .job(let job) = line else { return true }
      let values = OutputTemplate.Values(
        job: job.id, asset: job.asset, rendition: "full", type: .jpeg)
      outputs.append(try job.outputs[0].template.path(values).get().displayed)
      #expect(job.outputs.map(\.rendition) == [Rendition(name: "full")])
      return true
    }
    #expect(outputs == ["p/a/z.full.jpg", "p/a.full.jpg", "p/b.full.jpg"])
  }

  @Test("a folder without pictures is a problem")
  func emptyFolder() throws {
    let folder = try TemporaryFolder()
    let check = try ManifestSource(path: folder.path).check()
    #expect(check.problems.map(\.message) == ["nothing in the library matches public.image"])
    #expect(check.problems.first?.file == folder.path)
  }

  @Test("renders of an earlier run inside the folder are not taken for pictures")
  func outputInside() throws {
    let folder = try library()
    try folder.write("p/out/b.full.jpg", Magic.jpeg)
    var options = ManifestOptions()
    options.outputRoot = try Directory(path: folder.path + "/p/out")
    let inside = try ManifestSource(path: folder.path + "/p", options: options)
    #expect(try inside.check().jobCount == 3)
    options.outputRoot = try Directory(path: folder.path + "/p")
    let same = try ManifestSource(path: folder.path + "/p", options: options)
    #expect(
      try same.check().problems.first?.message.contains("choose another output folder") == true)
  }

  @Test("pictures that share a stem get their extension into their names, and nothing clashes")
  func sharedStems() throws {
    let folder = try TemporaryFolder()
    for name in ["IMG_1.JPG", "IMG_1.PNG", "IMG_2.JPG", "d/IMG_1.JPG"] {
      try folder.write(name, Magic.jpeg)
    }
    try folder.write("IMG_2.MOV", Magic.movie)
    let source = try ManifestSource(path: folder.path)
    #expect(try source.check().problems == [])
    #expect(
      try outputs(of: source) == [
        "IMG_1.JPG.full.jpg", "IMG_1.PNG.full.jpg", "IMG_2.full.jpg", "d/IMG_1.full.jpg",
      ])
  }

  @Test("a template of one's own is never changed, so that pictures that share a stem clash")
  func ownTemplate() throws {
    let folder = try TemporaryFolder()
    for name in ["p/IMG_1.JPG", "p/IMG_1.PNG"] { try folder.write(name, Magic.jpeg) }
    let checked = try Checked(
      manifest(job: #"{"assets": {"from": "p"}, "output": "{stem}.{extension}"}"#), folder: folder)
    #expect(checked.problems.count == 1)
    #expect(checked.problems.first?.message.contains("{sourceExtension}") == true)
  }

  @Test(
    "names that differ only in how letters are composed both render, under names and ids of their own"
  )
  func composition() throws {
    let folder = try TemporaryFolder()
    for name in ["M\u{E4}rz.jpg", "Ma\u{308}rz.jpg"] { try folder.write(name, Magic.jpeg) }
    let source = try ManifestSource(path: folder.path)
    #expect(try source.check().problems == [])
    var ids: Set<String> = []
    try source.jobs { line in
      guard case .job(let job) = line else { return false }
      ids.insert(job.id)
      #expect(!job.outputs[0].template.isKnownBefore)
      return true
    }
    #expect(ids.count == 2)
    #expect(ids.allSatisfy { $0.hasPrefix("base64:") })
  }

  @Test("where case does not count, names that differ in case get a digest")
  func letterCase() throws {
    let folder = try TemporaryFolder()
    for name in ["A.jpg", "a.JPG"] { try folder.write(name, Magic.jpeg) }
    #expect(try outputs(of: ManifestSource(path: folder.path)) == ["A.full.jpg", "a.full.jpg"])
    var options = ManifestOptions()
    options.caseInsensitiveOutput = true
    let source = try ManifestSource(path: folder.path, options: options)
    #expect(try source.check().problems == [])
    #expect(try outputs(of: source) == ["A.01234567.full.jpg", "a.01234567.full.jpg"])
  }

  @Test("names that are not UTF-8 are found and given out as they are")
  func invalidUTF8() throws {
    let folder = try TemporaryFolder()
    let name: [UInt8] = [0xFF, 0xFE] + Array(".jpg".utf8)
    try folder.write(name, Magic.jpeg)
    var assets: [RelativePath] = []
    try ManifestSource(path: folder.path).jobs { line in
      if case .job(let job) = line { assets.append(job.asset) }
      return true
    }
    #expect(assets == [RelativePath(bytes: name)])
  }

  private func outputs(of source: ManifestSource) throws -> [String] {
    var result: [String] = []
    try source.jobs { line in
      guard case .job(let job) = line else { return true }
      let values = OutputTemplate.Values(
        job: job.id, asset: job.asset, rendition: "full", type: .jpeg,
        sha256: String(repeating: "0123456789abcdef", count: 4))
      result.append(try job.outputs[0].template.path(values).get().displayed)
      return true
    }
    return result
  }
}

@Suite struct ContentMagicTests {
  /// First bytes from the specifications of the formats.
  @Test(
    "a type is told from the first bytes",
    arguments: [
      ("public.jpeg", [0xFF, 0xD8, 0xFF, 0xE1]), ("public.png", Array(Magic.png.prefix(8))),
      ("com.compuserve.gif", Array("GIF89a".utf8)), ("com.compuserve.gif", Array("GIF87a".utf8)),
      ("org.webmproject.webp", Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8)),
      ("public.tiff", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]), ("public.tiff", [0x4D, 0x4D, 0, 0x2A]),
      ("public.tiff", [0x4D, 0x4D, 0, 0x2B]), ("public.tiff", [0x49, 0x49, 0x2B, 0]),
      ("com.adobe.raw-image", [0x49, 0x49, 0x2A, 0, 0x10, 0, 0, 0, 0x43, 0x52]),
      ("com.adobe.raw-image", Array("FUJIFILMCCD-RAW 0201".utf8)),
      (
        "public.heic",
        [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)
      ),
      (
        "public.heic",
        [0, 0, 0, 24] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)
      ),
      (
        "public.avif",
        [0, 0, 0, 28] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("mif1avifmiaf".utf8)
      ),
      (
        "public.avif",
        [0, 0, 0, 24] + Array("ftypavis".utf8) + [0, 0, 0, 0] + Array("avisavif".utf8)
      ),
      ("public.heif", [0, 0, 0, 20] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("mif1".utf8)),
      ("public.heif", [0, 0, 0, 16] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("heic".utf8)),
      (
        "com.adobe.raw-image",
        [0, 0, 0, 24] + Array("ftypcrx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8)
      ),
      ("public.movie", Magic.movie), ("public.jpeg-xl", [0xFF, 0x0A, 0]),
      ("public.jpeg-xl", [0, 0, 0, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]),
      ("public.jpeg-2000", [0, 0, 0, 0x0C] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]),
      ("public.jpeg-2000", [0xFF, 0x4F, 0xFF, 0x51]), ("com.adobe.pdf", Array("%PDF-1.7".utf8)),
      ("com.microsoft.bmp", Array("BM".utf8) + [1, 2, 3, 4, 0, 0, 0, 0, 54]),
      ("public.data", Array("BMW is a car maker".utf8)), ("public.data", []),
      ("public.data", [0xFF]),
      ("public.svg-image", Array("<?xml version=\"1.0\"?>\n<svg xmlns".utf8)),
      ("public.svg-image", Array(" <svg>".utf8)),
      ("public.data", Array("<?xml version=\"1.0\"?><html>".utf8)),
      ("public.data", Array("RIFF....WAVE".utf8)),
    ] as [(String, [UInt8])])
  func types(type: String, bytes: [UInt8]) {
    #expect(ContentMagic.type(of: bytes).rawValue == type)
  }
}
