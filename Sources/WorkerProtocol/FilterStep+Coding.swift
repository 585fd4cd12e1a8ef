import RenderModel

extension MessageWriter {
  mutating func write(_ step: FilterStep) {
    write(step.name)
    write(step.version)
    write(list: step.parameters) { $0.write($1) }
    write(step.opacity)
    write(optional: step.mask) { $0.write($1) }
  }

  private mutating func write(_ mask: FilterMask) {
    write(mask.kind)
    write(list: mask.parameters) { $0.write($1) }
    write(mask.isInverted)
    write(list: mask.parts) { $0.write($1) }
  }

  private mutating func write(_ parameter: FilterStep.Parameter) {
    write(parameter.name)
    switch parameter.value {
    case .number(let number):
      write(UInt8(0))
      write(number)
    case .text(let text):
      write(UInt8(1))
      write(text)
    case .points(let points):
      write(UInt8(2))
      write(list: points) {
        $0.write($1.x)
        $0.write($1.y)
      }
    case .numbers(let numbers):
      write(UInt8(3))
      write(list: numbers) { $0.write($1) }
    case .file(let name):
      write(UInt8(4))
      write(name)
    }
  }
}

extension MessageReader {
  /// Combinations of masks may be nested so far; the record's decoder allows less.
  private static let deepestMask = 16

  mutating func readStep() throws(MessageError) -> FilterStep {
    FilterStep(
      name: try readString(), version: try readInt(), parameters: try readParameters(),
      opacity: try readDouble(),
      mask: try readOptional { (reader) throws(MessageError) in
        try reader.readMask(depth: 0)
      })
  }

  private mutating func readMask(depth: Int) throws(MessageError) -> FilterMask {
    guard depth < Self.deepestMask else { throw MessageError(reason: "masks nested too deeply") }
    return FilterMask(
      kind: try readString(), parameters: try readParameters(), isInverted: try readBool(),
      parts: try readList { (reader) throws(MessageError) in
        try reader.readMask(depth: depth + 1)
      })
  }

  private mutating func readParameters() throws(MessageError) -> [FilterStep.Parameter] {
    try readList { (reader) throws(MessageError) in
      FilterStep.Parameter(name: try reader.readString(), value: try reader.readValue())
    }
  }

  private mutating func readValue() throws(MessageError) -> FilterStep.Value {
    switch try readUInt8() {
    case 0: return .number(try readDouble())
    case 1: return .text(try readString())
    case 2:
      return .points(
        try readList { (reader) throws(MessageError) in
          FilterStep.CurvePoint(x: try reader.readDouble(), y: try reader.readDouble())
        })
    case 3:
      return .numbers(
        try readList { (reader) throws(MessageError) in try reader.readDouble() })
    case 4: return .file(try readString())
    default: throw MessageError(reason: "an unknown kind of parameter")
    }
  }
}
