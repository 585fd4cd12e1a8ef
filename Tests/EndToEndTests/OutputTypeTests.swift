import JSONText
import SystemSupport
import Testing

/// Every type that can be written, by the real programs in their sealed processes.
@Suite("Types of outputs")
struct OutputTypeTests {
  private static let everyType = """
    {"output": "{stem}.{rendition}", "renditions": [
      {"name": "jpeg", "type": "public.jpeg", "progressive": true},
      {"name": "png", "type": "public.png", "bitDepth": 16},
      {"name": "webp", "type": "org.webmproject.webp"},
      {"name": "lossless", "type": "org.webmproject.webp", "lossless": true},
      {"name": "tiff", "type": "public.tiff", "compression": "zstd"},
      {"name": "float", "type": "public.tiff", "bitDepth": 32},
      {"name": "avif", "type": "public.avif"},
      {"name": "avif10", "type": "public.avif", "bitDepth": 10},
      {"name": "heic", "type": "public.heic"},
      {"name": "heic10", "type": "public.heic", "bitDepth": 10},
      {"name": "jxl", "type": "public.jpeg-xl"},
      {"name": "jxl12", "type": "public.jpeg-xl", "bitDepth": 12}
    ]}
    """

  @Test("every type is written by a sealed process, and the report says how")
  func every() throws {
    let scene = try RenderScene()
    try scene.draw("a.png", seed: 1, width: 90, height: 70)
    try scene.write(assets: ["a.png"], defaults: Self.everyType)
    let end = try scene.render()
    #expect(end.exitStatus == 0, "\(end.errorText)")
    let report = try #require(try scene.lastRun().reports["a.png"])
    #expect(report.outcome == "rendered", "\(report["outcome"]?["detail"]?.string ?? "")")
    let entries = try #require(report["renditions"]?.array)
    let depths = entries.compactMap { $0["bitDepth"]?.number?.integer }
    #expect(depths == [8, 16, 8, 8, 8, 32, 8, 10, 8, 10, 8, 12])
    let qualities = entries.map { $0["quality"]?.number?.integer }
    #expect(qualities == [90, nil, 90, nil, nil, nil, 90, 90, 90, 90, 90, 90])
    for (name, sign) in [("a.heic", "ftypheic"), ("a.avif", "ftypavif"), ("a.webp", "WEBP")] {
      let head = String(
        decoding: try scene.folder.read("out/" + name).prefix(16).filter { $0 >= 0x20 },
        as: UTF8.self)
      #expect(head.contains(sign), "\(name): \(head)")
    }
    #expect(try scene.outputsNotAsReported() == [])
    for part in ["libaom", "libheif", "libx265", "libjxl"] {
      #expect(report["engine"]?[part]?.string?.isEmpty == false, "\(part)")
    }
  }

  @Test("quality is lowered for maxBytes and reported, and what cannot be that small fails")
  func maxBytes() throws {
    let scene = try RenderScene()
    try scene.draw("a.png", seed: 1, width: 300, height: 200)
    func defaults(_ limit: Int) -> String {
      #"{"renditions": [{"name": "r", "maxBytes": \#(limit), "metadata": "strip"}]}"#
    }
    try scene.write(assets: ["a.png"], defaults: defaults(10_000_000))
    #expect(try scene.render().exitStatus == 0)
    let full = try scene.folder.read("out/a.r.jpg").count
    try scene.write(assets: ["a.png"], defaults: defaults(full - 1))
    #expect(try scene.render().exitStatus == 0)
    let small = try #require(try scene.lastReports()["a.png"])
    #expect(try scene.folder.read("out/a.r.jpg").count < full)
    #expect(small["losses"]?.array?.compactMap(\.string) == ["quality"])
    let quality = try #require(
      small["renditions"]?.array?.first?["quality"]?.number?.integer)
    #expect(quality < 90)
    try scene.write(assets: ["a.png"], defaults: defaults(300))
    #expect(try scene.render().exitStatus == 3)
    let failed = try #require(try scene.lastReports()["a.png"])
    #expect(failed["outcome"]?["code"]?.string == "outputTooLarge")
    #expect(failed["outcome"]?["detail"]?.string?.contains("300 bytes are allowed") == true)
    // What was there before stays.
    #expect(try scene.folder.read("out/a.r.jpg").count < full)
  }
}
