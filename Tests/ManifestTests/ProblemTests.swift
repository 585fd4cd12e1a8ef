import Manifest
import Testing

/// Each mistake with its place in the line of the job and words that a person needs.
@Suite("What is wrong in a job")
struct ProblemTests {
  @Test(
    "a mistake in a job is found at its place, with what would be right",
    arguments: [
      (
        #"{"asset": "a", "renditions": [{"name": "r", "qualty": 9}]}"#, 45, "renditions[0].qualty",
        #"did you mean "quality"?"#
      ),
      (#"{"asset": "a", "colour": 9}"#, 16, "colour", "the keys are id, asset"),
      (#"{"asset": 5}"#, 11, "asset", "5 is a number; text that is not empty is wanted"),
      (#"{"asset": ""}"#, 11, "asset", "the text is empty"),
      (#"{"asset": null}"#, 11, "asset", "null is no value"),
      (#"{}"#, 1, "", #"needs one of "asset", "assetBytes", "assets""#),
      (#"{"asset": "a", "assets": {}}"#, 16, "assets", #"has "asset" already"#),
      (#"{"asset": "/etc/passwd"}"#, 11, "asset", "begins with a slash"),
      (#"{"asset": "../x.jpg"}"#, 11, "asset", "may not leave its folder"),
      (#"{"asset": "a/../../x.jpg"}"#, 11, "asset", "may not leave its folder"),
      (#"{"asset": "./x.jpg"}"#, 11, "asset", "leave it out"),
      (#"{"asset": "a//x.jpg"}"#, 11, "asset", "single slashes"),
      (#"{"asset": "a/"}"#, 11, "asset", "slash at its end"),
      (#"{"asset": "a\u0000b"}"#, 11, "asset", "NUL byte"),
      (#"{"assetBytes": "!!"}"#, 16, "assetBytes", "is no base64"),
      (#"{"assetBytes": "Li4vYQ=="}"#, 16, "assetBytes", "may not leave its folder"),
      (#"{"asset": "a", "id": ""}"#, 22, "id", "the text is empty"),
      (#"{"asset": "a", "deadline": "30"}"#, 28, "deadline", "from 1ms to 24h"),
      (#"{"asset": "a", "deadline": "0s"}"#, 28, "deadline", "from 1ms to 24h"),
      (#"{"asset": "a", "deadline": "25h"}"#, 28, "deadline", "from 1ms to 24h"),
      (#"{"asset": "a", "deadline": 30}"#, 28, "deadline", "30 is a number"),
      (#"{"asset": "a", "deadline": {"bse": "3s"}}"#, 29, "deadline.bse", #"did you mean "base""#),
      (
        #"{"asset": "a", "deadline": {"perMegapixel": 2}}"#, 45, "deadline.perMegapixel",
        "from 0ms to 24h"
      ),
      (#"{"asset": "a", "adjustment": "sidecars"}"#, 30, "adjustment", #"did you mean "sidecar"?"#),
      (#"{"asset": "a", "adjustment": "/edits.json"}"#, 30, "adjustment", "begins with a slash"),
      (
        #"{"asset": "a", "adjustment": 1}"#, 30, "adjustment",
        "text that is not empty or an adjustment record is wanted"
      ),
      (
        #"{"asset": "a", "adjustment": {"formatIdentifier": "x", "data": 1}}"#, 30, "adjustment",
        #"needs "formatVersion""#
      ),
      (
        #"{"asset": "a", "tolerant": "yes"}"#, 28, "tolerant",
        #""yes" is text; true or false is wanted"#
      ),
      (
        #"{"asset": "a", "limits": {"pixels": 0}}"#, 37, "limits.pixels",
        "0 is not allowed; an integer from 1 to"
      ),
      (
        #"{"asset": "a", "limits": {"pixels": 1e999}}"#, 37, "limits.pixels",
        "1e999 is out of range"
      ),
      (
        #"{"asset": "a", "limits": {"pages": 99999999999999999999}}"#, 36, "limits.pages",
        "an integer from 1 to 10000000"
      ),
      (#"{"asset": "a", "onKept": "renderLast"}"#, 26, "onKept", "not available yet"),
      (#"{"asset": "a", "onKept": "leav"}"#, 26, "onKept", #"did you mean "leave"?"#),
      (#"{"asset": "a", "renditions": []}"#, 30, "renditions", "an array that is not empty"),
      (
        #"{"asset": "a", "renditions": {"name": "r"}}"#, 30, "renditions",
        "this is an object; an array"
      ),
      (
        #"{"asset": "a", "renditions": [{"type": "public.png"}]}"#, 31, "renditions[0]",
        #"needs "name""#
      ),
      (
        #"{"asset": "a", "renditions": [{"name": "a/b"}]}"#, 40, "renditions[0].name",
        "cannot have a slash"
      ),
      (
        #"{"asset": "a", "renditions": [{"name": "r"}, {"name": "r"}]}"#, 55, "renditions[1].name",
        "a name of its own"
      ),
      (#"{"asset": "a", "output": "{stm}.jpg"}"#, 27, "output", "did you mean {stem}"),
      (#"{"asset": "a", "output": "\u00e9\"{stem"}"#, 35, "output", "never closed"),
      (#"{"asset": "a", "output": "../{stem}"}"#, 27, "output", "may not leave"),
      (#"{"asset": "a", "report": "{stem}.{rendition}"}"#, 34, "report", "one rendition"),
      (#"{"asset": "a", "id": "..", "output": "{job}"}"#, 38, "output", "may not leave its folder"),
      (#"{"asset": "a", "output": ".minilab/{stem}"}"#, 26, "output", "Minilab's own folder"),
      (
        #"{"asset": "a", "asset": "b"}"#, 16, "asset",
        "stands twice in one object, first at column 2"
      ),
      (#"{"asset": "a", "limits": {"side": 5, "side": 6}}"#, 38, "limits.side", "stands twice"),
      (#"{"assets": {"form": "x"}}"#, 13, "assets.form", #"did you mean "from""#),
      (#"{"assets": {"from": "../x"}}"#, 21, "assets.from", "may not leave its folder"),
      (
        #"{"assets": {"matching": ["public.jpg"]}}"#, 26, "assets.matching[0]",
        #"did you mean "public.jpeg""#
      ),
      (#"{"assets": {"limit": 0}}"#, 22, "assets.limit", "0 is not allowed"),
      (#"{"assets": {"ordered": "Name"}}"#, 24, "assets.ordered", #"did you mean "name""#),
      (#"{"assets": {}, "id": "x"}"#, 22, "id", "their assets' paths as ids"),
    ] as [(String, Int, String, String)])
  func job(job: String, column: Int, field: String, words: String) throws {
    let problems = try Checked("{\"minilab\": 1}\n\(job)\n").problems
    #expect(problems.map { "\($0.line):\($0.column) \($0.field)" } == ["2:\(column) \(field)"])
    #expect(problems.first?.message.contains(words) == true, "\(problems)")
    // The same in the other form, under the element's name.
    let other = try Checked(manifest(job: job)).problems
    #expect(other.map { "\($0.line):\($0.column)" } == ["2:\(column)"])
    #expect(other.first?.field == (field.isEmpty ? "jobs[0]" : "jobs[0].\(field)"))
    #expect(other.first?.message == problems.first?.message)
  }

  @Test(
    "a mistake in a rendition says what would be right",
    arguments: [
      (#""quality": "92""#, "quality", "write it without quotes"),
      (#""quality": 1000"#, "quality", "1000 is not allowed; an integer from 1 to 100 is wanted"),
      (#""quality": 92.5"#, "quality", "an integer from 1 to 100"),
      (#""quality": true"#, "quality", "true is a Boolean"),
      (#""type": "jpeg""#, "type", #"did you mean "public.jpeg"?"#),
      (#""type": "webp""#, "type", #"did you mean "org.webmproject.webp"?"#),
      (#""type": "com.compuserve.gif""#, "type", "not available yet"),
      (#""maxBytes": 0"#, "maxBytes", "an integer from 1"),
      (
        #""maxBytes": 9, "type": "public.png""#, "maxBytes",
        "public.png has no maxBytes; it belongs to public.jpeg, org.webmproject.webp, public.avif"
      ),
      (
        #""maxBytes": 9, "type": "public.jpeg-xl", "lossless": true"#, "maxBytes",
        "has no quality that could be lowered"
      ),
      (#""minimumQuality": 50"#, "minimumQuality", "maxBytes, which is not given"),
      (
        #""minimumQuality": 91, "maxBytes": 9"#, "minimumQuality",
        "91 is higher than the quality, 90"
      ),
      (#""lossless": true"#, "lossless", "it belongs to org.webmproject.webp and public.jpeg-xl"),
      (#""progressive": 1"#, "progressive", "true or false is wanted"),
      (#""progresive": true"#, "progresive", #"did you mean "progressive"?"#),
      (#""chromaSubsampling": "4:4:0""#, "chromaSubsampling", #"one of "auto", "4:4:4""#),
      (
        #""chromaSubsampling": "4:2:2""#, "chromaSubsampling",
        "cannot have chromaSubsampling 4:2:2, only auto, 4:4:4 or 4:2:0; public.avif and "
          + "public.heic can"
      ),
      (
        #""compression": "lzw", "type": "public.png""#, "compression",
        "it belongs to public.tiff"
      ),
      (#""compression": "lsw", "type": "public.tiff""#, "compression", #"did you mean "lzw"?"#),
      (#""tileSize": 100, "type": "public.tiff""#, "tileSize", "one of 64, 128, 256"),
      (#""effort": 10, "type": "public.avif""#, "effort", "an integer from 1 to 9"),
      (
        #""effort": 8, "type": "public.jpeg-xl""#, "effort",
        "cannot have effort 8, only 1 to 7; public.png, org.webmproject.webp, public.avif and "
          + "public.heic can"
      ),
      (#""colorSpace": "rec709""#, "colorSpace", "\"adobeRGB\", \"rec2020\""),
      (#""colorSpace": {"profile": "a.icc", "path": "b"}"#, "colorSpace.path", "profile"),
      (#""colorSpace": {"profile": ""}"#, "colorSpace.profile", "not empty"),
      (#""colorSpace": {"profile": "../a.icc"}"#, "colorSpace.profile", ".."),
      (#""renderingIntent": "colorimetric""#, "renderingIntent", "\"perceptual\""),
      (#""blackPointCompensation": 1"#, "blackPointCompensation", "true or false"),
      (#""colorSpace": "srgb""#, "colorSpace", #"did you mean "sRGB"?"#),
      (
        #""bitDepth": 10"#, "bitDepth",
        "public.jpeg cannot have bitDepth 10, only 8; public.avif, public.heic and "
          + "public.jpeg-xl can"
      ),
      (#""bitDepth": 12, "type": "public.png""#, "bitDepth", "only 8 or 16; public.avif"),
      (#""bitDepth": 7"#, "bitDepth", "one of 8, 10, 12, 16, 32 is wanted"),
      (
        #""bitDepth": 16"#, "bitDepth", "only 8; public.png, public.tiff and public.jpeg-xl can"
      ),
      (#""targetSize": [0, 0]"#, "targetSize", "leave targetSize out"),
      (#""targetSize": 2048"#, "targetSize", "[width, height]"),
      (#""targetSize": [1, 2, 3]"#, "targetSize", "[width, height]"),
      (#""targetSize": [-1, 5]"#, "targetSize[0]", "an integer from 0"),
      (#""targetSize": [5, "5"]"#, "targetSize[1]", "without quotes"),
      (
        #""targetSize": [70000, 5]"#, "targetSize[0]",
        "more than the 65500 that public.jpeg can hold; these hold them: public.png, public.tiff"
      ),
      (
        #""targetSize": [5, 16384], "type": "org.webmproject.webp""#, "targetSize[1]",
        "more than the 16383"
      ),
      (#""targetSize": [5, 16385], "type": "public.avif""#, "targetSize[1]", "more than the 16384"),
      (#""targetSize": [5, 16385], "type": "public.heic""#, "targetSize[1]", "more than the 16384"),
      (
        #""targetSize": [262145, 5], "type": "public.jpeg-xl""#, "targetSize[0]",
        "more than the 262144 that public.jpeg-xl can hold"
      ),
      (
        #""targetSize": [99999999, 5], "type": "public.png""#, "targetSize[0]",
        "an integer from 0 to 10000000"
      ),
      (#""contentMode": "exact", "targetSize": [0, 5]"#, "targetSize", "needs both sides"),
      (#""contentMode": "aspectfill""#, "contentMode", #"did you mean "aspectFill"?"#),
      (#""deliveryMode": "slow""#, "deliveryMode", #"one of "highQuality", "fast" is wanted"#),
      (#""enlarge": 1"#, "enlarge", "true or false is wanted"),
      (#""metadata": "none""#, "metadata", #"one of "keep", "strip", "minimal""#),
      (#""location": "minimal""#, "location", #"one of "keep", "strip""#),
      (#""output": "{widht}.jpg""#, "output", "did you mean {width}"),
      (#""name": "s""#, "name", "stands twice"),
    ] as [(String, String, String)])
  func rendition(members: String, field: String, words: String) throws {
    let problems = try Checked(manifest(rendition: members)).problems
    #expect(problems.map(\.field) == ["jobs[0].renditions[0].\(field)"])
    #expect(problems.first?.message.contains(words) == true, "\(problems)")
  }

  @Test("a wrong filter of a record is reported with the manifest's own line and field")
  func filter() throws {
    let checked = try Checked(
      """
      {"minilab": 1, "jobs": [
        {"asset": "a", "adjustment": "none"},
        {"asset": "b", "adjustment": {
          "formatIdentifier": "org.minilab.adjustments", "formatVersion": "1.0",
          "data": {"filters": [
            {"filter": "exposure", "ev": "0.4"},
            {"filter": "exposre", "ev": 1}]}}}
      ]}
      """)
    #expect(
      checked.places == [
        "6:36 jobs[1].adjustment.data.filters[0].ev",
        "7:18 jobs[1].adjustment.data.filters[1].filter",
      ])
    #expect(checked.problems[1].message.contains("exposure"))
  }

  @Test("a version that is none is reported beside the data, not in it")
  func recordVersion() throws {
    let checked = try Checked(
      manifest(
        job:
          #"{"asset": "b", "adjustment": {"formatIdentifier": "org.minilab.adjustments", "formatVersion": "one", "data": {}}}"#
      ))
    #expect(checked.problems.map(\.field) == ["jobs[0].adjustment.formatVersion"])
  }

  @Test(
    "a record that nobody here knows is no mistake",
    arguments: [
      #"{"formatIdentifier": "com.example.editor", "formatVersion": "3", "data": "b3BhcXVl"}"#,
      #"{"formatIdentifier": "org.minilab.adjustments", "formatVersion": "99.0", "data": {"new": 1}}"#,
    ])
  func unknownRecord(record: String) throws {
    #expect(try Checked(manifest(job: #"{"asset": "a", "adjustment": \#(record)}"#)).problems == [])
  }

  @Test(
    "the header's mistakes are found too",
    arguments: [
      (#"{"minilab": 2, "jobs": []}"#, "minilab", "for a newer Minilab"),
      (#"{"minilab": 0, "jobs": []}"#, "minilab", "the number 1 is wanted"),
      (#"{"minilab": "1", "jobs": []}"#, "minilab", "without quotes"),
      (#"{"jobs": []}"#, "", #"needs "minilab""#),
      (#"{"minilab": 1, "jobs": {}}"#, "jobs", "an array is wanted"),
      (#"{"minilab": 1, "jobs": [], "library": ""}"#, "library", "the text is empty"),
      (#"{"minilab": 1, "jobs": [], "library": "a\u0000"}"#, "library", "NUL"),
      (#"{"minilab": 1, "jobs": [], "Jobs": []}"#, "Jobs", #"did you mean "jobs"?"#),
      (#"{"minilab": 1, "jobs": [], "jobs": []}"#, "jobs", "stands twice"),
      (#"{"minilab": 1, "jobs": [], "defaults": {"asset": "a"}}"#, "defaults.asset", "no such key"),
      (
        #"{"minilab": 1, "jobs": [], "defaults": {"output": "{x"}}"#, "defaults.output",
        "never closed"
      ),
      (
        #"{"minilab": 1, "jobs": [], "defaults": {"renditions": [{"name": "r", "quality": 0}]}}"#,
        "defaults.renditions[0].quality", "from 1 to 100"
      ),
      (#"{"minilab": 1, "jobs": [], "defaults": []}"#, "defaults", "this is an array"),
    ] as [(String, String, String)])
  func header(text: String, field: String, words: String) throws {
    let problems = try Checked(text).problems
    #expect(problems.map(\.field) == [field])
    #expect(problems.first?.message.contains(words) == true, "\(problems)")
  }

  @Test("several mistakes in one job are all found")
  func several() throws {
    let checked = try Checked(
      manifest(
        job:
          #"{"asset": "../a", "deadline": 1, "renditions": [{"name": "r", "quality": 0, "tpye": 1}], "output": "{"}"#
      ))
    #expect(
      Set(checked.problems.map(\.field)) == [
        "jobs[0].asset", "jobs[0].deadline", "jobs[0].renditions[0].quality",
        "jobs[0].renditions[0].tpye", "jobs[0].output",
      ])
    #expect(checked.check.invalidCount == 1)
  }

  @Test("a list that is far too long is refused")
  func manyRenditions() throws {
    let list = (0..<65).map { "{\"name\": \"r\($0)\"}" }.joined(separator: ", ")
    let problems = try Checked(manifest(job: "{\"asset\": \"a\", \"renditions\": [\(list)]}"))
      .problems
    #expect(problems.map(\.message) == ["has 65 elements; at most 64 are allowed"])
  }

  @Test("the first thousand problems are listed and the others counted")
  func omitted() throws {
    let lines = (0..<1500).map { "{\"asset\": \"\($0)\", \"x\": 1}" }.joined(separator: "\n")
    let check = try Checked("{\"minilab\": 1}\n" + lines).check
    #expect(check.problems.count == 1000)
    #expect(check.problemsOmitted == 500)
    #expect(check.problems.last?.line == 1001)
  }

  @Test("what is shown of a name has no control characters")
  func escaped() throws {
    let checked = try Checked(
      manifest(job: #"{"asset": "a", "\u001b[2J": 1, "onKept": "\u202e\n"}"#))
    for problem in checked.problems {
      #expect(
        problem.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
    #expect(checked.problems.count == 2)
  }
}
