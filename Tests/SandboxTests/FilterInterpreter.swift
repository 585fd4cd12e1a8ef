import Sandbox

/// The kernel's classic BPF machine, as far as filters use it; nil where the kernel would refuse.
struct FilterInterpreter {
  private var instructions: [FilterInstruction]

  /// As the process with this pid loads it.
  init(_ program: FilterProgram, process: UInt32) {
    instructions = program.instructions
    for slot in program.processSlots { instructions[slot].k = process }
  }

  func run(
    number: UInt32, architecture: UInt32, arguments: [UInt64] = [0, 0, 0, 0, 0, 0]
  ) -> UInt32? {
    var accumulator: UInt32 = 0
    var at = 0
    while instructions.indices.contains(at) {
      let instruction = instructions[at]
      at += 1
      switch instruction.code {
      case 0x20:
        guard
          let word = Self.word(
            at: instruction.k, number: number, architecture: architecture, arguments: arguments)
        else { return nil }
        accumulator = word
      case 0x54: accumulator &= instruction.k
      case 0x05: at += Int(instruction.k)
      case 0x15:
        at += Int(accumulator == instruction.k ? instruction.jumpTrue : instruction.jumpFalse)
      case 0x35:
        at += Int(accumulator >= instruction.k ? instruction.jumpTrue : instruction.jumpFalse)
      case 0x06: return instruction.k
      default: return nil
      }
    }
    return nil
  }

  /// struct seccomp_data: int nr; u32 arch; u64 instruction_pointer; u64 args[6].
  private static func word(
    at offset: UInt32, number: UInt32, architecture: UInt32, arguments: [UInt64]
  ) -> UInt32? {
    switch offset {
    case 0: return number
    case 4: return architecture
    case 16..<64 where offset % 4 == 0:
      let argument = arguments[Int(offset - 16) / 8]
      return UInt32(truncatingIfNeeded: offset % 8 == 0 ? argument : argument >> 32)
    default: return nil
    }
  }
}

/// A policy's table, read without the compiler.
struct PolicyTable {
  let violation: UInt32
  let rules: [UInt32: CallRule]

  init(_ policy: SandboxPolicy) {
    violation = policy.onViolation == .trap ? 0x0003_0000 : 0x8000_0000
    rules = Dictionary(
      uniqueKeysWithValues: policy.calls.compactMap { call, rule in call.number.map { ($0, rule) } }
    )
  }

  func answer(number: UInt32, arguments: [UInt64], process: UInt32) -> UInt32 {
    switch rules[number] {
    case nil: return violation
    case .allow: return 0x7fff_0000
    case .refuse(let errno): return 0x0005_0000 + UInt32(errno)
    case .allowIf(let alternatives, let otherwise):
      let passes = alternatives.contains { conditions in
        conditions.allSatisfy { holds($0, of: arguments, process: process) }
      }
      if passes { return 0x7fff_0000 }
      switch otherwise {
      case .errno(let errno): return 0x0005_0000 + UInt32(errno)
      case .violation: return violation
      }
    }
  }

  private func holds(_ condition: Condition, of arguments: [UInt64], process: UInt32) -> Bool {
    let argument = arguments[condition.argument]
    let wanted: UInt32
    switch condition.operand {
    case .constant(let value): wanted = value
    case .ownProcess: wanted = process
    }
    return UInt32(truncatingIfNeeded: argument) & condition.mask == wanted
      && (!condition.isLong || argument < 1 << 32)
  }
}
