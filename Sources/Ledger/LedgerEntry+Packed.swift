import RenderModel

extension LedgerEntry {
  /// The job's id comes first: the index compares it without reading on.
  func write(to writer: inout PackedWriter, _ names: inout InternedNames) {
    let id = RelativePath(job)
    writer.blob(job.utf8)
    writer.path(asset, beside: id)
    writer.digest(source?.sha256)
    if let source { writer.identity(source.identity) }
    writer.digest(adjustment?.sha256)
    if let adjustment {
      writer.unsigned(UInt64(names.number(adjustment.formatIdentifier)))
      writer.unsigned(UInt64(names.number(adjustment.formatVersion)))
      writer.flag(adjustment.origin != nil)
      if let origin = adjustment.origin { writer.path(origin, beside: asset) }
    }
    writer.digest(renderKey)
    writer.digest(recipe)
    writer.unsigned(UInt64(filters.count))
    for filter in filters {
      writer.unsigned(UInt64(names.number(filter.name)))
      writer.signed(Int64(filter.version))
    }
    writer.unsigned(UInt64(resources.count))
    for resource in resources {
      writer.path(resource.path, beside: asset)
      writer.digest(resource.sha256)
      writer.signed(Int64(resource.bytes))
      writer.identity(resource.identity)
    }
    writer.unsigned(UInt64(outputs.count))
    for output in outputs {
      writer.unsigned(UInt64(names.number(output.rendition)))
      writer.path(output.path, beside: asset)
      writer.digest(output.sha256)
      writer.signed(Int64(output.bytes))
      writer.identity(output.identity)
    }
    writer.flag(reportFile != nil)
    if let reportFile { writer.path(reportFile, beside: asset) }
    writer.unsigned(UInt64(clamping: pixels ?? 0))
    writer.unsigned(UInt64(clamping: Int(((cpu ?? 0) * 1000).rounded())))
    writer.unsigned(UInt64(engine.map { names.number($0) + 1 } ?? 0))
    writer.unsigned(UInt64(names.number(outcome.rawValue)))
    writer.unsigned(UInt64(code.map { names.number($0) + 1 } ?? 0))
    writer.unsigned(UInt64(names.number(run)))
    writer.signed(finished)
    writer.flag(hadRecord)
    writer.signed(Int64(strikes))
    writer.digest(struckSource)
    writer.unsigned(UInt64(earlier.map { names.number($0.outcome.rawValue) + 1 } ?? 0))
    if let earlier { writer.unsigned(UInt64(earlier.code.map { names.number($0) + 1 } ?? 0)) }
  }

  init?(from reader: inout PackedReader, _ names: InternedNames) {
    func name(_ number: UInt64) -> String { names.text(Int(clamping: number)) }
    let job = reader.text()
    let asset = reader.path(beside: RelativePath(job))
    let source = reader.digest().map { Source(sha256: $0, identity: reader.identity()) }
    let adjustment = reader.digest().map {
      Adjustment(
        sha256: $0, formatIdentifier: name(reader.unsigned()),
        formatVersion: name(reader.unsigned()),
        origin: reader.flag() ? reader.path(beside: asset) : nil)
    }
    let renderKey = reader.digest()
    let recipe = reader.digest()
    let filters = (0..<reader.count()).map { _ in
      JobReport.FilterUse(name: name(reader.unsigned()), version: Int(reader.signed()))
    }
    let resources = (0..<reader.count()).map { _ in
      Resource(
        path: reader.path(beside: asset), sha256: reader.digest() ?? "",
        bytes: Int(reader.signed()), identity: reader.identity())
    }
    let outputs = (0..<reader.count()).map { _ in
      Output(
        rendition: name(reader.unsigned()), path: reader.path(beside: asset),
        sha256: reader.digest() ?? "", bytes: Int(reader.signed()), identity: reader.identity())
    }
    let reportFile = reader.flag() ? reader.path(beside: asset) : nil
    let pixels = Int(clamping: reader.unsigned())
    let cpu = Double(reader.unsigned()) / 1000
    let engine = reader.unsigned()
    guard let outcome = OutcomeState(rawValue: name(reader.unsigned())) else { return nil }
    let code = reader.unsigned()
    self.init(
      job: job, asset: asset, outcome: outcome, code: code == 0 ? nil : name(code - 1),
      run: name(reader.unsigned()), finished: reader.signed())
    self.source = source
    self.adjustment = adjustment
    self.renderKey = renderKey
    self.recipe = recipe
    self.filters = filters
    self.resources = resources
    self.outputs = outputs
    self.reportFile = reportFile
    self.pixels = pixels == 0 ? nil : pixels
    self.cpu = cpu == 0 ? nil : cpu
    self.engine = engine == 0 ? nil : name(engine - 1)
    hadRecord = reader.flag()
    strikes = Int(reader.signed())
    struckSource = reader.digest()
    let ending = reader.unsigned()
    if ending > 0 {
      guard let outcome = OutcomeState(rawValue: name(ending - 1)) else { return nil }
      let code = reader.unsigned()
      earlier = Ending(outcome, code: code == 0 ? nil : name(code - 1))
    }
  }
}
