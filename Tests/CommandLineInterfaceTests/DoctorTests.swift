import Glibc
import JSONText
import RenderModel
import SystemSupport
import Testing

@testable import CommandLineInterface

/// What a worker answers on a machine where everything is there.
private let goodAnswer = """
  {"engine": {"minilab-worker": "0.1.0", "libvips": "8.14.1"},
   "readable": ["public.jpeg", "public.png", "org.webmproject.webp", "public.tiff", "public.heic",
     "public.heif", "public.avif", "public.jpeg-xl", "public.jpeg-2000", "com.compuserve.gif",
     "com.adobe.raw-image", "com.adobe.dng-image"],
   "writable": ["public.jpeg", "public.png", "org.webmproject.webp", "public.tiff", "public.avif",
                "public.heic", "public.jpeg-xl"],
   "sandbox": {"landlock": {"available": true, "detail": "ABI 7"},
     "seccomp": {"available": true, "detail": "filter"}},
   "probes": [{"name": "open /etc/passwd", "refused": true, "observed": "EACCES"}]}
  """

private func description(
  _ change: (inout WorkerDescription) -> Void = { _ in }
) throws -> WorkerDescription {
  var description = try WorkerDescription(json: Array(goodAnswer.utf8))
  change(&description)
  return description
}

private func facts(
  worker: WorkerFinding, memoryLimit: Int64? = nil, quota: Double? = nil,
  fileSystem: FileSystemSpace? = FileSystemSpace(magic: 0xEF53, available: 1 << 40)
) -> MachineFacts {
  MachineFacts(
    kernel: "Linux 6.1.0 x86_64",
    resources: HostResources(
      affinity: 4, quota: quota, memoryLimit: memoryLimit, memoryAvailable: 8 << 30),
    worker: worker, state: MachineFacts.StateFolder(path: "/out/.minilab", fileSystem: fileSystem))
}

private func diagnosis(
  _ change: (inout WorkerDescription) -> Void = { _ in }
) throws -> Diagnosis {
  Diagnosis(facts(worker: .described(path: "/bin/minilab-worker", try description(change))))
}

@Suite("minilab doctor")
struct DoctorTests {
  @Test("a machine that has everything misses nothing")
  func complete() throws {
    let diagnosis = try diagnosis()
    #expect(diagnosis.findings.isEmpty)
    #expect(diagnosis.status == .success)
    #expect(diagnosis.text(style: .plain).hasSuffix("Missing:\n  nothing\n"))
  }

  @Test("a missing layer of the sandbox is status 77, and says how to go on")
  func missingLayer() throws {
    let diagnosis = try diagnosis {
      $0.sandbox[0].isAvailable = false
      $0.sandbox[0].detail = "the kernel does not know it"
    }
    #expect(diagnosis.status == .sandboxUnavailable)
    let finding = try #require(diagnosis.findings.first)
    #expect(finding.weight == .blocking)
    #expect(finding.what.contains("landlock"))
    #expect(finding.what.contains("the kernel does not know it"))
    #expect(finding.remedy.contains("--sandbox best-effort"))
  }

  @Test("a probe that was let through is status 77, and is not listed as refused")
  func openProbe() throws {
    let diagnosis = try diagnosis {
      $0.probes.append(.init(name: "connect", isRefused: false, observed: "connected"))
    }
    #expect(diagnosis.status == .sandboxUnavailable)
    #expect(
      diagnosis.findings.map(\.what) == ["a sealed process was not refused 'connect': connected"])
    #expect(diagnosis.text(style: .plain).contains("refused       1 of 2 forbidden things"))
  }

  @Test("a codec that is missing is a note")
  func missingCodec() throws {
    let diagnosis = try diagnosis {
      $0.readable.removeAll { $0 == "public.heic" }
      $0.writable.removeAll { $0 == "public.avif" || $0 == "public.heic" }
    }
    #expect(diagnosis.status == .success)
    #expect(
      diagnosis.findings.map(\.what)
        == [
          "public.heic cannot be read", "public.avif cannot be written",
          "public.heic cannot be written",
        ])
    #expect(diagnosis.findings.last?.remedy.contains("x265") == true)
    #expect(diagnosis.findings.allSatisfy { $0.weight == .note && !$0.remedy.isEmpty })
  }

  @Test(
    "without a worker that answers nothing can be rendered",
    arguments: [
      .missing(searched: ["/a/minilab-worker", "/b/minilab-worker"]),
      .unusable(path: "/a/minilab-worker", reason: "it ended with exit status 127"),
    ] as [WorkerFinding])
  func noWorker(finding: WorkerFinding) throws {
    let diagnosis = Diagnosis(facts(worker: finding))
    #expect(diagnosis.status == .configuration)
    #expect(try #require(diagnosis.findings.first).what.contains("/a/minilab-worker"))
    #expect(!diagnosis.text(style: .plain).contains("Sandbox:"))
  }

  @Test("scarce memory, a full disk and a network file system are notes")
  func machineNotes() throws {
    let worker = WorkerFinding.described(path: "/w", try description())
    let poor = Diagnosis(
      facts(
        worker: worker, memoryLimit: 256 << 20,
        fileSystem: FileSystemSpace(magic: 0x6969, available: 5 << 20)))
    #expect(poor.status == .success)
    #expect(
      poor.findings.map(\.what) == [
        "only 256 MiB of memory are granted",
        "state under /out/.minilab would lie on a network file system (nfs)",
        "only 5 MiB are free under /out/.minilab",
      ])
    let blind = Diagnosis(facts(worker: worker, fileSystem: nil))
    #expect(blind.findings.map(\.what) == ["the folder /out/.minilab cannot be looked at"])
  }

  @Test("a quota below the processors sets the number of workers")
  func quota() throws {
    let diagnosis = Diagnosis(
      facts(worker: .described(path: "/w", try description()), quota: 1.5))
    #expect(diagnosis.workers == 1)
    #expect(diagnosis.text(style: .plain).contains("1 granted (4 usable, quota 1.50)"))
  }

  @Test("the JSON form is JSON and says the same")
  func json() throws {
    let diagnosis = try diagnosis { $0.sandbox[1].isAvailable = false }
    let value = try JSONParser.parse(Array(diagnosis.json.utf8)).value
    #expect(value["kernel"]?.string == "Linux 6.1.0 x86_64")
    #expect(value["workers"]?.number?.integer == 4)
    #expect(value["processors"]?["granted"]?.number?.integer == 4)
    #expect(value["memory"]?["available"]?.number?.integer == 8 << 30)
    #expect(value["state"]?["fileSystem"]?.string == "ext4")
    #expect(value["worker"]?["engine"]?["libvips"]?.string == "8.14.1")
    #expect(value["worker"]?["sandbox"]?["seccomp"]?["available"]?.bool == false)
    #expect(value["worker"]?["probes"]?.array?.first?["refused"]?.bool == true)
    #expect(value["missing"]?.array?.first?["weight"]?.string == "blocking")
    #expect(value["exitStatus"]?.number?.integer == 77)
  }

  @Test("nothing that a worker says reaches the terminal raw")
  func escaped() throws {
    let diagnosis = try diagnosis {
      $0.engine.append(.init(name: "evil\u{1B}[2J", number: "1\u{7}"))
      $0.sandbox[0] = .init(name: "landlock", isAvailable: false, detail: "\u{1B}]0;x")
    }
    #expect(!diagnosis.text(style: .plain).unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    #expect(!diagnosis.json.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test("the command looks at the state folder that is asked about")
  func command() throws {
    let harness = ProgramHarness()
    harness.facts = { path in
      var facts = facts(worker: .missing(searched: []))
      facts.state.path = path.displayed
      return facts
    }
    #expect(harness.run(["doctor", "--format", "json", "--output", "/r"]) == .configuration)
    let value = try JSONParser.parse(Array(harness.output.utf8)).value
    #expect(value["state"]?["path"]?.string == "/r/.minilab")
    #expect(value["worker"]?.typeName == "null")
  }

  @Test("sizes are shown with at most one decimal")
  func sizes() {
    #expect(ByteCountText.describe(0) == "0 bytes")
    #expect(ByteCountText.describe(1536) == "1.5 KiB")
    #expect(ByteCountText.describe(1 << 40) == "1 TiB")
    #expect(ByteCountText.describe(.max) == "8388608 TiB")
  }
}

@Suite("The worker's description")
struct WorkerDescriptionTests {
  @Test("is read in the order that it was written")
  func read() throws {
    let description = try description()
    #expect(description.engine.map(\.name) == ["minilab-worker", "libvips"])
    #expect(description.sandbox.map(\.name) == ["landlock", "seccomp"])
    #expect(description.sandbox.first?.detail == "ABI 7")
    #expect(description.probes.first?.observed == "EACCES")
  }

  @Test(
    "is refused when a part is missing or of the wrong kind",
    arguments: [
      ("not JSON", "is not JSON"),
      ("{}", "'engine' that is an object"),
      (#"{"engine":{"a":1}}"#, "'engine.a' that is a string"),
      (#"{"engine":{}}"#, "'readable' that is an array"),
      (#"{"engine":{},"readable":[1]}"#, "'readable' that is a string"),
      (#"{"engine":{},"readable":[],"writable":[],"sandbox":[]}"#, "'sandbox' that is an object"),
      (
        #"{"engine":{},"readable":[],"writable":[],"sandbox":{"landlock":{"detail":""}}}"#,
        "'sandbox.landlock.available' that is a Boolean"
      ),
      (
        #"{"engine":{},"readable":[],"writable":[],"sandbox":{},"probes":[{"name":"x"}]}"#,
        "'probes.refused' that is a Boolean"
      ),
    ])
  func refused(json: String, reason: String) throws {
    let error = #expect(throws: WorkerDescription.Unreadable.self) {
      try WorkerDescription(json: Array(json.utf8))
    }
    #expect(try #require(error).reason.contains(reason))
  }
}

@Suite("Finding and asking the worker")
struct WorkerEnquiryTests {
  @Test("it is looked for beside the program, then in libexec")
  func order() {
    let beside = "/opt/bin/minilab-worker"
    let behind = "/opt/libexec/minilab/minilab-worker"
    #expect(WorkerLocation.candidates(program: "/opt/bin/minilab") == [beside, behind])
    #expect(WorkerLocation.find(program: "/opt/bin/minilab") { _ in true } == beside)
    #expect(WorkerLocation.find(program: "/opt/bin/minilab") { $0 == behind } == behind)
    #expect(WorkerLocation.find(program: "/opt/bin/minilab") { _ in false } == nil)
  }

  @Test("a worker that answers is described")
  func answers() throws {
    let folder = try ProgramFolder(script: "cat <<'EOF'\n\(goodAnswer)\nEOF")
    #expect(
      WorkerEnquiry.ask(program: folder.program)
        == .described(path: folder.worker, try description()))
  }

  @Test(
    "a worker that does not answer as it should is unusable",
    arguments: [
      ("exit 3", "it ended with exit status 3"),
      ("kill -9 $$", "it was ended by signal 9"),
      ("exec sleep 60", "it did not answer within 1 seconds"),
      ("exec head -c 2000000 /dev/zero", "File too large"),
      ("echo '[]'", "'engine'"),
    ])
  func unusable(script: String, reason: String) throws {
    let folder = try ProgramFolder(script: script)
    guard
      case .unusable(let path, let observed) = WorkerEnquiry.ask(
        program: folder.program, patienceMilliseconds: script.contains("sleep") ? 1000 : 20_000)
    else {
      Issue.record("a worker that does '\(script)' was taken for a good one")
      return
    }
    #expect(path == folder.worker)
    #expect(observed.contains(reason))
  }

  @Test("a worker that is not there is missing")
  func missing() throws {
    let folder = try ProgramFolder(script: nil)
    #expect(
      WorkerEnquiry.ask(program: folder.program)
        == .missing(searched: WorkerLocation.candidates(program: folder.program)))
  }

  @Test("this machine's facts are gathered, also for a folder that does not exist yet")
  func gather() throws {
    let folder = try ProgramFolder(script: nil)
    let facts = MachineFacts.gather(state: HostPath("\(folder.path)/a/b/"))
    #expect(facts.kernel.hasPrefix("Linux "))
    #expect(facts.resources.cpus >= 1)
    #expect(facts.state.fileSystem != nil)
    #expect(MachineFacts.gather(state: HostPath("not-there/.minilab")).state.fileSystem != nil)
    #expect(MachineFacts.gather(state: HostPath("/proc/version/x")).state.fileSystem == nil)
  }
}

/// A temporary folder with a script in place of the worker; gone with its last user.
private final class ProgramFolder {
  struct Failure: Error {}

  let path: String
  var program: String { "\(path)/minilab" }
  var worker: String { "\(path)/minilab-worker" }

  init(script: String?) throws {
    path = "/tmp/minilab-doctor-\(RandomBytes.hex(8))"
    guard unsafe mkdir(path, 0o700) == 0 else { throw Failure() }
    guard let script else { return }
    // Written by another process: a descriptor of ours might live on in a child of another test,
    // and a file that is open for writing cannot be started.
    guard let pipe = unsafe popen("cat >\(worker) && chmod 700 \(worker)", "w") else {
      throw Failure()
    }
    _ = unsafe fputs("#!/bin/sh\n\(script)\n", pipe)
    guard unsafe pclose(pipe) == 0 else { throw Failure() }
  }

  deinit {
    _ = unsafe unlink(worker)
    _ = unsafe rmdir(path)
  }
}
