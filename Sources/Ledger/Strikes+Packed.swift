import RenderModel

extension Strikes {
  /// All but the count, which comes first and is 0 for none.
  func write(to writer: inout PackedWriter, _ names: inout InternedNames) {
    writer.digest(source)
    writer.identity(identity)
    writer.unsigned(UInt64(names.number(engine)))
    writer.signed(Int64(limits.deadline))
    writer.signed(Int64(limits.deadlinePerMegapixel))
    writer.signed(Int64(limits.memory))
    writer.blob(job.utf8)
    writer.unsigned(UInt64(names.number(state)))
    for name in [code, stage] { writer.unsigned(UInt64(name.map { names.number($0) + 1 } ?? 0)) }
    writer.flag(detail != nil)
    if let detail { writer.blob(detail.utf8) }
    writer.flag(peakMemory != nil)
    if let peakMemory { writer.signed(Int64(peakMemory)) }
    writer.unsigned(UInt64(names.number(run)))
    writer.blob(finished.utf8)
  }

  init(count: Int, from reader: inout PackedReader, _ names: InternedNames) {
    func name(_ number: UInt64) -> String { names.text(Int(clamping: number)) }
    func optionalName(_ number: UInt64) -> String? { number == 0 ? nil : name(number - 1) }
    self.init(
      count: count, source: reader.digest() ?? "", identity: reader.identity(),
      engine: name(reader.unsigned()),
      limits: StrikeLimits(
        deadline: DeadlinePolicy(
          baseMilliseconds: Int(reader.signed()), perMegapixelMilliseconds: Int(reader.signed())),
        memory: Int(reader.signed())),
      job: reader.text(), state: name(reader.unsigned()), code: optionalName(reader.unsigned()),
      stage: optionalName(reader.unsigned()), detail: reader.flag() ? reader.text() : nil,
      peakMemory: reader.flag() ? Int(reader.signed()) : nil, run: name(reader.unsigned()),
      finished: reader.text())
  }
}
