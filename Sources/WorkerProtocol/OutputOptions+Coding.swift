import RenderModel

extension MessageWriter {
  mutating func write(_ options: OutputOptions) {
    write(list: options.sorted) {
      $0.write($1.name.rawValue)
      switch $1.value {
      case .flag(let flag):
        $0.write(UInt8(0))
        $0.write(flag)
      case .number(let number):
        $0.write(UInt8(1))
        $0.write(number)
      case .word(let word):
        $0.write(UInt8(2))
        $0.write(word)
      }
    }
  }
}

extension MessageReader {
  mutating func readOptions() throws(MessageError) -> OutputOptions {
    let list = try readList { (reader) throws(MessageError) in
      (try reader.readCase(OutputOption.Name.self), try reader.readOptionValue())
    }
    var options = OutputOptions()
    for (name, value) in list { options[name] = value }
    return options
  }

  private mutating func readOptionValue() throws(MessageError) -> OutputValue {
    switch try readUInt8() {
    case 0: return .flag(try readBool())
    case 1: return .number(try readInt())
    case 2: return .word(try readString())
    default: throw MessageError(reason: "an unknown kind of option")
    }
  }
}
