import RenderModel

extension ManifestSource {
  /// Gives out the manifest's jobs in its order, decoding one after the other; false stops.
  ///
  /// Call `check` first: only it knows which jobs are impossible beside others.
  package func jobs(_ body: (JobLine) throws -> Bool) throws {
    var number: UInt32 = 0
    var remaining = options.limit ?? Int.max

    func give(_ job: Job, _ element: Element) throws -> Bool {
      defer { number += 1 }
      guard remaining > 0 else { return false }
      remaining -= 1
      return try body(line(job, number: number, element))
    }

    try forEachElement { element in
      guard remaining > 0 else { return false }
      switch element.entry {
      case nil:
        remaining -= 1
        return try body(.invalid(id: label(of: element), problem: firstProblem(of: element)))
      case .job(let id, let asset, let settings):
        return try give(resolve(settings).job(id: id, asset: asset), element)
      case .selection(let selection, let settings):
        guard element.findings.isEmpty,
          case .success(let listing) = listing(of: selection, at: element.raw.position)
        else {
          remaining -= 1
          return try body(.invalid(id: label(of: element), problem: firstProblem(of: element)))
        }
        let resolved = resolve(settings)
        var goesOn = true
        try listing.forEach { item, fate in
          switch fate {
          case .asset: goesOn = try give(job(item, resolved), element)
          case .skipped(let reason):
            goesOn = try remaining > 0 && body(.skipped(asset: item.path, reason: reason))
          }
          return goesOn
        }
        return goesOn
      }
    }
    try text?.bytes.checkUnchanged()
  }

  private func line(_ job: Job, number: UInt32, _ element: Element) -> JobLine {
    if !element.findings.isEmpty {
      return .invalid(id: exactID(job, number, element), problem: firstProblem(of: element))
    }
    guard rejections.contains(number) else { return .job(job) }
    let problem =
      rejections.problem(of: number)
      ?? problem(
        Finding(
          offset: element.raw.text.startIndex, field: "",
          message: "its id or an output name is taken, or a path leaves its folder"),
        in: element.raw)
    return .invalid(id: exactID(job, number, element), problem: problem)
  }

  /// The id of a job that is not done; told apart from an earlier one with the same id by its place.
  private func exactID(_ job: Job, _ number: UInt32, _ element: Element) -> String {
    rejections.hasTakenID(number) ? "\(job.id) (\(label(of: element)))" : job.id
  }

  private func label(of element: Element) -> String {
    element.raw.label.isEmpty ? "line \(element.raw.line)" : element.raw.label
  }

  private func firstProblem(of element: Element) -> ManifestProblem {
    var finding = element.findings.list.first
    if finding == nil, case .selection(let selection, _) = element.entry,
      case .failure(let fault) = listing(of: selection, at: element.raw.position)
    {
      finding = Finding(
        offset: element.offset(of: ["assets"]), field: element.field(of: ["assets"]),
        message: fault.message)
    }
    return problem(
      finding
        ?? Finding(
          offset: element.raw.text.startIndex, field: "", message: "cannot be read as a job"),
      in: element.raw)
  }
}
