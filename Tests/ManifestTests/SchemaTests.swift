import Glibc
import JSONText
import Manifest
import SystemSupport
import Testing

/// Files of the project, found from where this test stands in it.
enum Project {
  static func path(_ name: String, test: String = #filePath) -> String {
    test.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
      + "/" + name
  }

  static func read(_ name: String) throws -> [UInt8] {
    let file = try OwnedDescriptor.open(path: path(name), flags: O_RDONLY)
    return try FileTransfer.readAll(file, limit: 1 << 20)
  }

  static func names(in folder: String) throws -> [String] {
    try Directory(path: path(folder)).entries().map { String(decoding: $0.name, as: UTF8.self) }
      .sorted()
  }
}

@Suite("The manifest's schema")
struct SchemaTests {
  private static let file = "docs/schemas/manifest.schema.json"

  private static func schema() throws -> MiniSchema {
    MiniSchema(root: try JSONParser.parse(Project.read(file)).value)
  }

  @Test("the published schema is the one that the decoder's own keys give")
  func published() throws {
    if unsafe getenv("MINILAB_WRITE_SCHEMAS") != nil {
      let file = try OwnedDescriptor.open(
        path: Project.path(Self.file), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      try FileTransfer.writeAll(file, Array(ManifestSchema.text.utf8))
    }
    #expect(
      try String(decoding: Project.read(Self.file), as: UTF8.self) == ManifestSchema.text,
      "run the tests with MINILAB_WRITE_SCHEMAS=1 to write it again")
  }

  @Test("the page of the outputs has the tables of the catalogue")
  func outputs() throws {
    let name = "docs/outputs.md"
    let page = try String(decoding: Project.read(name), as: UTF8.self)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let own = lines.prefix { $0 != "## Types" }.joined(separator: "\n")
    let whole = own + "\n" + OutputReference.markdown
    if unsafe getenv("MINILAB_WRITE_SCHEMAS") != nil {
      let file = try OwnedDescriptor.open(
        path: Project.path(name), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      try FileTransfer.writeAll(file, Array(whole.utf8))
    }
    #expect(
      try String(decoding: Project.read(name), as: UTF8.self) == whole,
      "run the tests with MINILAB_WRITE_SCHEMAS=1 to write it again")
  }

  @Test("the manual names every key")
  func manual() throws {
    let manual = try String(decoding: Project.read("docs/manifest.md"), as: UTF8.self)
    for (object, key) in ManifestSchema.keys {
      #expect(manual.contains("`\(key)`"), "\(object).\(key)")
    }
  }

  @Test("every example in the manual is a manifest without problems")
  func manualExamples() throws {
    let manual = try String(decoding: Project.read("docs/manifest.md"), as: UTF8.self)
    let blocks = manual.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("json") }
      .map { $0.element.drop { $0 != "\n" }.dropFirst() }
    #expect(blocks.count >= 4)
    for block in blocks {
      let folder = try TemporaryFolder()
      try folder.write("2025/a.jpg", Magic.jpeg)
      var options = ManifestOptions()
      options.library = folder.path
      options.captureDates = { $0.map { _ in nil } }
      let checked = try Checked(String(block), folder: folder, options)
      #expect(checked.problems.map(\.description) == [], "\(block)")
    }
  }

  @Test("every example manifest fits the schema and has no problems")
  func examples() throws {
    let names = try Project.names(in: "jobs").filter { $0.hasSuffix(".json") }
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try Project.read("jobs/" + name)
      let folder = try TemporaryFolder()
      for asset in ["lake.jpg", "harbour.jpg", "portrait.png"] {
        try folder.write("photos/" + asset, asset.hasSuffix("png") ? Magic.png : Magic.jpeg)
      }
      #expect(try Checked(bytes, folder: folder).problems.map(\.description) == [], "\(name)")
      #expect(try Self.schema().problems(JSONParser.parse(bytes).value) == [], "\(name)")
    }
  }

  @Test("what the schema accepts the decoder accepts", arguments: Samples.good)
  func good(sample: String) throws {
    let text = manifest(job: sample)
    #expect(try Self.schema().problems(JSONParser.parse(Array(text.utf8)).value) == [])
    #expect(try Checked(text).problems.map(\.description) == [])
  }

  @Test("what the schema refuses the decoder refuses", arguments: Samples.wrong)
  func wrong(sample: String) throws {
    let text = manifest(job: sample)
    #expect(try !Self.schema().problems(JSONParser.parse(Array(text.utf8)).value).isEmpty)
    #expect(try !Checked(text).problems.isEmpty)
  }

  @Test("each line of JSON Lines fits the definition for it")
  func lines() throws {
    let schema = try Self.schema()
    let header = try JSONParser.parse(Array(#"{"minilab": 1, "library": "x"}"#.utf8)).value
    #expect(schema.problems(header, definition: "header") == [])
    #expect(!schema.problems(header).isEmpty)
    let job = try JSONParser.parse(Array(#"{"asset": "a.jpg", "tolerant": true}"#.utf8)).value
    #expect(schema.problems(job, definition: "job") == [])
  }
}

/// Jobs whose form alone is right or wrong.
enum Samples {
  static let good = [
    #"{"asset": "a.jpg"}"#,
    #"{"id": "x", "assetBytes": "/2UuanBn"}"#,
    #"{"asset": "a", "deadline": "1.5s"}"#,
    #"{"asset": "a", "deadline": {"base": "2m", "perMegapixel": "0ms"}}"#,
    #"{"asset": "a", "deadline": {}}"#,
    #"{"asset": "a", "adjustment": "none"}"#,
    #"{"asset": "a", "adjustment": "edits/a.AAE"}"#,
    #"{"asset": "a", "adjustment": {"formatIdentifier": "com.example", "formatVersion": "9", "data": null}}"#,
    #"{"asset": "a", "limits": {"pixels": 1, "side": 1, "pages": 1, "inputBytes": 1}}"#,
    #"{"asset": "a", "tolerant": false, "onKept": "leave", "output": "x", "report": "y"}"#,
    #"{"asset": "a", "renditions": [{"name": "r"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "type": "public.png", "bitDepth": 16, "targetSize": [0, 5]}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "type": "public.heic", "bitDepth": 10, "maxBytes": 100, "minimumQuality": 5, "chromaSubsampling": "4:2:2"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "type": "public.tiff", "bitDepth": 32, "compression": "zstd", "predictor": false, "tileSize": 256}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "quality": 1.0e2, "contentMode": "exact", "enlarge": true}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "colorSpace": "displayP3", "metadata": "minimal", "location": "strip", "deliveryMode": "fast"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "colorSpace": "adobeRGB", "renderingIntent": "perceptual"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "colorSpace": {"profile": "p.icc"}, "blackPointCompensation": true}]}"#,
  ]

  static let wrong = [
    "null", "3", "[]", "\"a.jpg\"", "{}",
    #"{"id": "x"}"#,
    #"{"asset": "a", "assetBytes": "YQ=="}"#,
    #"{"asset": "a", "assets": {}}"#,
    #"{"asset": ""}"#,
    #"{"asset": 1}"#,
    #"{"asset": "a", "id": ""}"#,
    #"{"asset": "a", "colour": 1}"#,
    #"{"asset": "a", "deadline": 30}"#,
    #"{"asset": "a", "deadline": "30"}"#,
    #"{"asset": "a", "deadline": "thirty s"}"#,
    #"{"asset": "a", "deadline": {"base": "30s", "extra": 1}}"#,
    #"{"asset": "a", "adjustment": {"formatIdentifier": "x", "formatVersion": "1"}}"#,
    #"{"asset": "a", "adjustment": []}"#,
    #"{"asset": "a", "limits": {"pixels": 0}}"#,
    #"{"asset": "a", "limits": {"megapixels": 10}}"#,
    #"{"asset": "a", "tolerant": "yes"}"#,
    #"{"asset": "a", "onKept": "renderLast"}"#,
    #"{"asset": "a", "renditions": []}"#,
    #"{"asset": "a", "renditions": {}}"#,
    #"{"asset": "a", "renditions": [{}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "type": "com.compuserve.gif"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "type": "jpeg"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "quality": "92"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "quality": 0}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "quality": 101}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "quality": 92.5}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "bitDepth": 11}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "colorSpace": "cmyk"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "colorSpace": {"profile": ""}}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "renderingIntent": "none"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "targetSize": [0, 0]}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "targetSize": [5]}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "targetSize": [5, 5, 5]}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "targetSize": [-1, 5]}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "targetSize": 2048}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "maxBytes": 0}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "progressive": "yes"}]}"#,
    #"{"asset": "a", "renditions": [{"name": "r", "effort": 10}]}"#,
    #"{"assets": {"matching": []}}"#,
    #"{"assets": {"matching": ["public.jpg"]}}"#,
    #"{"assets": {"limit": 0}}"#,
    #"{"assets": {"ordered": "size"}}"#,
    #"{"assets": "2024"}"#,
  ]
}
