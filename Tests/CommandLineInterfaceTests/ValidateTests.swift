import Glibc
import JSONText
import RenderModel
import Testing

@testable import CommandLineInterface

/// A temporary folder with manifests; gone with its last user.
private final class ManifestFolder {
  struct Failure: Error {}

  let path: String
  private var files: [String] = []

  init() throws {
    var generator = SystemRandomNumberGenerator()
    path = "/tmp/minilab-validate-\(generator.next())"
    guard unsafe mkdir(path, 0o700) == 0 else { throw Failure() }
  }

  func write(_ name: String, _ text: String) throws -> Argument {
    let file = "\(path)/\(name)"
    guard let stream = unsafe fopen(file, "w") else { throw Failure() }
    _ = unsafe fputs(text, stream)
    _ = unsafe fclose(stream)
    files.append(file)
    return Argument(file)
  }

  deinit {
    for file in files { _ = unsafe unlink(file) }
    _ = unsafe rmdir(path)
  }
}

private let renditions = #"[{"name": "full", "type": "public.jpeg"}]"#
private let good =
  #"{"minilab": 1, "defaults": {"renditions": \#(renditions)}, "jobs": [{"asset": "a.jpg"}]}"#
private let bad = """
  {"minilab": 1, "defaults": {"renditions": \(renditions)},
   "jobs": [
     {"asset": "a.jpg", "deadlin": "30s"},
     {"asset": "../b.jpg"}
   ]}
  """

@Suite("minilab validate")
struct ValidateTests {
  @Test("a manifest without problems is success, and says how many jobs it has")
  func valid() throws {
    let folder = try ManifestFolder()
    let file = try folder.write("good.json", good)
    let harness = ProgramHarness()
    #expect(harness.run(["validate", file]) == .success)
    #expect(harness.output == "\(file.text): 1 job, no problems\n")
    #expect(harness.talk.isEmpty)
  }

  @Test("every problem is a line with file, line, column and field; the status is 65")
  func invalid() throws {
    let folder = try ManifestFolder()
    let file = try folder.write("bad.json", bad)
    let harness = ProgramHarness()
    #expect(harness.run(["validate", file]) == .manifestInvalid)
    let lines = harness.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("\(file.text):3:23: jobs[0].deadlin: "))
    #expect(lines[0].contains("deadline"))
    #expect(lines[1].hasPrefix("\(file.text):4:14: jobs[1].asset: "))
  }

  @Test("the JSON form says the same")
  func json() throws {
    let folder = try ManifestFolder()
    let files = [try folder.write("good.json", good), try folder.write("bad.json", bad)]
    let harness = ProgramHarness()
    #expect(harness.run(["validate", "--format=json"] + files) == .manifestInvalid)
    let value = try JSONParser.parse(Array(harness.output.utf8)).value
    #expect(value["valid"]?.bool == false)
    let manifests = try #require(value["manifests"]?.array)
    #expect(manifests.map { $0["valid"]?.bool } == [true, false])
    #expect(manifests[0]["jobs"]?.number?.integer == 1)
    let problem = try #require(manifests[1]["problems"]?.array?.first)
    #expect(problem["line"]?.number?.integer == 3)
    #expect(problem["column"]?.number?.integer == 23)
    #expect(problem["field"]?.string == "jobs[0].deadlin")
    #expect(problem["file"]?.string == files[1].text)
  }

  @Test("a manifest that cannot be read is named on standard error; the others are checked")
  func unreadable() throws {
    let folder = try ManifestFolder()
    let file = try folder.write("good.json", good)
    let missing = Argument(folder.path + "/missing.json")
    let harness = ProgramHarness()
    #expect(harness.run(["validate", missing, file]) == .manifestInvalid)
    #expect(harness.output == "\(file.text): 1 job, no problems\n")
    #expect(harness.talk.contains(missing.text))
    let json = ProgramHarness()
    #expect(json.run(["validate", missing, "--format", "json"]) == .manifestInvalid)
    let value = try JSONParser.parse(Array(json.output.utf8)).value
    #expect(value["manifests"]?.array?.first?["error"]?.string?.contains("cannot be read") == true)
  }

  @Test("names that differ only in case are a problem where the target takes them for one")
  func caseInsensitive() throws {
    let folder = try ManifestFolder()
    let file = try folder.write(
      "case.json",
      #"{"minilab": 1, "defaults": {"renditions": \#(renditions)}, "#
        + #""jobs": [{"asset": "a.jpg"}, {"asset": "A.jpg"}]}"#)
    #expect(ProgramHarness().run(["validate", file]) == .success)
    #expect(
      ProgramHarness().run(["validate", file, "--case-insensitive", "yes"]) == .manifestInvalid)
  }

  @Test("an output folder that is none is refused, one that is still to be made is not")
  func output() throws {
    let folder = try ManifestFolder()
    let file = try folder.write("good.json", good)
    #expect(ProgramHarness().run(["validate", file, "--output", file]) == .usage)
    let fresh = Argument(folder.path + "/not-yet")
    #expect(ProgramHarness().run(["validate", file, "--output", fresh]) == .success)
  }
}
