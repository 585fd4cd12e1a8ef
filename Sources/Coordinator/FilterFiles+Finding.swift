import Glibc
import RenderModel
import SystemSupport
import WorkerProtocol

extension FilterFiles {
  /// Steps with the names of the plan for their files, and the files, each once.
  struct Resolved: Sendable {
    var steps: [FilterStep]
    var files: [Found] = []
  }

  /// Opens what the steps name: looked for beside the record's own file, then beneath the library.
  ///
  /// `record`: the path of that file; nil for a record in the manifest.
  func find(_ steps: [FilterStep], of record: RelativePath?) -> Result<Resolved, RenderFailure> {
    var files: [Found] = []
    return Result { () throws(RenderFailure) in
      let renamed = try steps.renamingFiles { (named) throws(RenderFailure) in
        let found = try find(named.name, beside: record, known: files) {
          Self.failure(named, record, $0)
        }
        if !files.contains(where: { $0.name == found.name }) { files.append(found) }
        guard files.count < ProtocolVersion.maximumFiles else {
          throw Self.failure(
            named, record,
            "is one file too many; filters may read "
              + "\(ProtocolVersion.maximumFiles - 1) files in one job")
        }
        return found.name
      }
      return Resolved(steps: renamed, files: files)
    }
  }

  /// Opens the profiles of renditions beneath the library, and gives the outputs their names in the plan.
  ///
  /// `files`: those that are open already; what is new is added.
  func find(profilesOf outputs: [Job.Output], files: inout [Found]) throws(RenderFailure)
    -> [Job.Output]
  {
    var outputs = outputs
    for index in outputs.indices {
      guard let name = outputs[index].rendition.profile else { continue }
      let rendition = DisplayText.escaped(outputs[index].rendition.name)
      let found = try find(name, beside: nil, known: files) { words in
        RenderFailure(
          code: .invalidJob, stage: .intake,
          detail:
            "the rendition \(rendition): the profile \"\(DisplayText.escaped(name))\" \(words)")
      }
      if !files.contains(where: { $0.name == found.name }) { files.append(found) }
      outputs[index].rendition.profile = found.name
    }
    return outputs
  }

  private func find(
    _ named: String, beside record: RelativePath?, known: [Found],
    refuse: (String) -> RenderFailure
  ) throws(RenderFailure) -> Found {
    let name = Array(named.utf8)
    if let fault = RelativePath.fault(in: name) {
      throw refuse("\(fault.message)")
    }
    let candidates = FilterFilePlaces.candidates(for: name, beside: record)
    for path in candidates {
      if let found = known.first(where: { $0.path == path }) { return found }
      let opened = clock()
      do {
        let descriptor = try library.openBeneath(path.bytes, flags: FileFlags.readNonBlocking)
        let status = try FileStatus(of: descriptor)
        if let words = Self.refusal(of: status) {
          throw refuse("\(Self.place(path)) \(words)")
        }
        return Found(
          path: path, name: Self.planName(of: path, besides: known), descriptor: descriptor,
          status: status, opened: opened)
      } catch let failure as RenderFailure {
        throw failure
      } catch let error as SystemError where error.errno == ENOENT || error.errno == ENOTDIR {
        continue
      } catch {
        let words = (error as? SystemError).map(OriginalReader.words) ?? "\(error)"
        throw refuse("\(Self.place(path)) cannot be opened: \(words)")
      }
    }
    throw refuse(FilterFilePlaces.missing(candidates))
  }

  private static func refusal(of status: FileStatus) -> String? {
    if status.kind != .regular { return "is not a regular file; a file is wanted" }
    if status.size == 0 { return "is empty" }
    if status.size > largestFile {
      return "has \(status.size) bytes; a file of a filter may have \(largestFile)"
    }
    return nil
  }

  /// The path, or for one that is not UTF-8 what no path can be: it begins with a slash.
  private static func planName(of path: RelativePath, besides known: [Found]) -> String {
    if let name = path.string { return name }
    var name = "/" + path.displayed
    while known.contains(where: { $0.name == name }) { name += "'" }
    return name
  }

  private static func place(_ path: RelativePath) -> String { "(\(path.displayed))" }

  private static func failure(_ named: NamedFile, _ record: RelativePath?, _ words: String)
    -> RenderFailure
  {
    let owner = record.map { "the adjustment record \($0.displayed)" } ?? "the manifest's record"
    return RenderFailure(
      code: .invalidAdjustment, stage: .intake,
      detail:
        "\(owner): \(named.field): the file \"\(DisplayText.escaped(named.name))\" \(words)")
  }
}
