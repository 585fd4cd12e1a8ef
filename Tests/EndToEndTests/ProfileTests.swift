import Glibc
import JSONText
import RenderModel
import SystemSupport
import Testing

/// Renditions in the spaces of given ICC profiles.
@Suite("Profiles of renditions")
struct ProfileTests {
  private static func profile(_ name: String) throws -> [UInt8] {
    let root = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let folder = try Directory(path: "\(root)/Reference")
    let file = try folder.openBeneath(Array("profiles.json".utf8), flags: O_RDONLY)
    let text = try FileTransfer.readAll(file, limit: 1 << 24)
    let encoded = try JSONParser.parse(text).value["usable"]?[name]?.string
    return try #require(encoded.flatMap(Base64.decode))
  }

  private func scene(_ name: String, type: String) throws -> RenderScene {
    let scene = try RenderScene()
    try scene.draw("a.png")
    try scene.folder.write("library/p/out.icc", try Self.profile(name))
    try scene.write(
      jobs: [#"{"asset": "a.png"}"#],
      defaults: """
        {"renditions": [{"name": "full", "type": "\(type)",
          "colorSpace": {"profile": "p/out.icc"}, "renderingIntent": "perceptual"}]}
        """)
    return scene
  }

  @Test(
    "a given profile is used in the sealed process, and the report names it",
    arguments: [
      ("matrix-v2-table", "public.png"), ("rgb-v2-lut16", "public.jpeg"),
      ("cmyk-v2-lut16", "public.tiff"), ("cmyk-v2-lut16", "public.jpeg"),
      ("grey-v2-gamma", "public.png"),
    ])
  func used(name: String, type: String) throws {
    let scene = try scene(name, type: type)
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report["renditions"]?.array?.first?["profile"]?.string == "drawn")
    let resource = try #require(report["resources"]?.array?.first)
    #expect(resource["path"]?.string == "p/out.icc")
    #expect(resource["sha256"]?.string == (try scene.folder.digest("library/p/out.icc")))
  }

  @Test("another profile under the same name makes the rendition anew")
  func changed() throws {
    let scene = try scene("matrix-v2-table", type: "public.png")
    try #require(try scene.render().exitStatus == 0)
    try scene.render()
    #expect(try scene.lastRun().reports.isEmpty)
    try scene.folder.write("library/p/out.icc", try Self.profile("matrix-v4-para0"))
    try scene.render()
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report.reason == "lookChanged(p/out.icc)")
  }

  @Test("a file that is no profile fails its jobs with a clear sentence")
  func noProfile() throws {
    let scene = try scene("matrix-v2-table", type: "public.png")
    try scene.folder.write("library/p/out.icc", "not a profile")
    let end = try scene.render()
    #expect(end.exitStatus == 3)
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report["outcome"]?["code"]?.string == "invalidJob")
    #expect(report["outcome"]?["detail"]?.string?.contains("is no ICC profile") == true)
  }
}
