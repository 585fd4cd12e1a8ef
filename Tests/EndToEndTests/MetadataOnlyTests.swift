import JSONText
import Testing

@Suite("Metadata only")
struct MetadataOnlyTests {
  /// A drawn JPEG that says who made it and where.
  static func photo(creator: String = "Ada") -> [UInt8] {
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
      + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description "
      + "xmlns:exif=\"http://ns.adobe.com/exif/1.0/\" exif:GPSLatitude=\"52,31.2N\" "
      + "xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\" photoshop:Credit=\"\(creator)\"/>"
      + "</rdf:RDF></x:xmpmeta>"
    let payload = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
    let length = payload.count + 2
    return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
      + payload + Drawing.jpeg.dropFirst(2)
  }

  static func defaults(_ more: String, quality: Int = 80) -> String {
    """
    {"renditions": [{"name": "full", "type": "public.jpeg", "quality": \(quality)\(more)}]}
    """
  }

  @Test("other metadata are published around the same pixels, and the report proves it")
  func refresh() throws {
    let scene = try RenderScene()
    try scene.folder.write("library/a.jpg", Self.photo())
    try scene.write(assets: ["a.jpg"], defaults: Self.defaults(""))
    #expect(try scene.render().exitStatus == 0)
    let name = try #require(try scene.outputs().first)
    let first = try scene.folder.read("out/" + name)
    #expect(first.holds("GPSLatitude"))

    try scene.write(assets: ["a.jpg"], defaults: Self.defaults(", \"location\": \"strip\""))
    #expect(try scene.render(["--metadata-only"]).exitStatus == 0)
    let report = try #require(try scene.lastRun().reports["a.jpg"])
    #expect(report.outcome == "rendered")
    #expect(report.reason == "recipeChanged")
    #expect(report["renditions"]?.array?.first?["pixelDigest"]?.string?.count == 64)
    let second = try scene.folder.read("out/" + name)
    #expect(!second.holds("GPSLatitude"))
    #expect(second.holds("Ada"))
    func pixels(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      bytes[(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDB } ?? 0)...]
    }
    #expect(pixels(first) == pixels(second))
    #expect(try scene.outputsNotAsReported() == [])
    #expect(try scene.temporaries() == [])
    // Done: there is nothing left to do, with the flag or without.
    for flags in [[], ["--metadata-only"]] {
      #expect(try scene.render(flags).exitStatus == 0)
      #expect(try scene.lastRun().total("fresh") == 1)
    }
  }

  @Test("what would change otherwise stays as it is")
  func kept() throws {
    let scene = try RenderScene()
    try scene.folder.write("library/a.jpg", Self.photo())
    try scene.write(assets: ["a.jpg"], defaults: Self.defaults(""))
    #expect(try scene.render(["--metadata-only"]).exitStatus == 0)
    #expect(try scene.lastRun().reports["a.jpg"]?.outcome == "kept(pixelsOutdated)")
    #expect(try scene.outputs() == [])
    #expect(try scene.render().exitStatus == 0)
    let name = try #require(try scene.outputs().first)
    let first = try scene.folder.read("out/" + name)

    try scene.write(assets: ["a.jpg"], defaults: Self.defaults("", quality: 50))
    #expect(try scene.render(["--metadata-only"]).exitStatus == 0)
    #expect(try scene.lastRun().reports["a.jpg"]?.outcome == "kept(pixelsOutdated)")
    #expect(try scene.folder.read("out/" + name) == first)
    // The render that is still due is not forgotten.
    #expect(try scene.render().exitStatus == 0)
    #expect(try scene.lastRun().reports["a.jpg"]?.outcome == "rendered")
    #expect(try scene.folder.read("out/" + name) != first)
  }

  @Test(
    "an original whose own metadata changed is refreshed only when told that its pixels did not")
  func changedOriginal() throws {
    let scene = try RenderScene()
    try scene.folder.write("library/a.jpg", Self.photo())
    try scene.write(assets: ["a.jpg"], defaults: Self.defaults(""))
    #expect(try scene.render().exitStatus == 0)
    let name = try #require(try scene.outputs().first)
    try scene.folder.write("library/a.jpg", Self.photo(creator: "Grace"))
    #expect(try scene.render(["--metadata-only"]).exitStatus == 0)
    #expect(try scene.lastRun().reports["a.jpg"]?.outcome == "kept(pixelsOutdated)")
    #expect(try scene.lastRun().reports["a.jpg"]?.detail?.contains("--force") == true)
    #expect(try scene.render(["--metadata-only", "--force"]).exitStatus == 0)
    #expect(try scene.lastRun().reports["a.jpg"]?.outcome == "rendered")
    #expect(try scene.folder.read("out/" + name).holds("Grace"))
  }
}

extension [UInt8] {
  fileprivate func holds(_ text: String) -> Bool {
    let part = Array(text.utf8)
    guard count >= part.count else { return false }
    return (0...(count - part.count)).contains {
      self[$0..<($0 + part.count)].elementsEqual(part)
    }
  }
}
