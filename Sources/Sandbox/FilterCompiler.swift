/// Turns a policy's call list into BPF. Pure: asks no kernel.
///
/// The calls become a balanced tree over ranges of numbers. A list of comparisons would be simpler,
/// but the kernel walks the filter once for each call number when it is loaded, which every job does.
package struct FilterCompiler {
  private struct Range {
    var first: UInt32
    var rule: CallRule?
  }

  private let violation: UInt32

  private init(violation: UInt32) { self.violation = violation }

  /// Only calls of `architecture` can pass; those of any other end the process, also in trap mode.
  package static func compile(_ policy: SandboxPolicy, architecture: UInt32) -> FilterProgram {
    let compiler = FilterCompiler(
      violation: policy.onViolation == .trap ? FilterAction.trap : FilterAction.killProcess)
    var program = FilterProgram(
      instructions: [
        FilterInstruction(FilterCode.load, CallRecord.architecture),
        FilterInstruction(FilterCode.jumpIfEqual, architecture, jumpTrue: 1),
        FilterInstruction(FilterCode.finish, FilterAction.killProcess),
        FilterInstruction(FilterCode.load, CallRecord.number),
      ], processSlots: [])
    program.append(compiler.tree(ranges(policy.calls)[...]))
    return program
  }

  /// The whole number space in ascending ranges of one rule each. x32 calls, whose numbers have bit
  /// 30 set, fall in the last one, which has no rule.
  private static func ranges(_ calls: [SystemCall: CallRule]) -> [Range] {
    let numbered = calls.compactMap { call, rule in call.number.map { (number: $0, rule: rule) } }
      .sorted { $0.number < $1.number }
    var ranges = [Range(first: 0, rule: nil)]
    func begin(_ first: UInt32, _ rule: CallRule?) {
      if ranges[ranges.count - 1].first == first { ranges.removeLast() }
      if ranges.last?.rule != rule || ranges.isEmpty {
        ranges.append(Range(first: first, rule: rule))
      }
    }
    for (number, rule) in numbered {
      begin(number, rule)
      ranges.append(Range(first: number + 1, rule: nil))
    }
    return ranges
  }

  private func tree(_ ranges: ArraySlice<Range>) -> FilterProgram {
    guard ranges.count > 1 else { return leaf(ranges.first?.rule) }
    let middle = ranges.startIndex + ranges.count / 2
    let below = tree(ranges[..<middle])
    let atLeast = tree(ranges[middle...])
    var program = FilterProgram(instructions: [], processSlots: [])
    // A conditional jump reaches 255 instructions.
    if let distance = UInt8(exactly: below.instructions.count) {
      program.instructions.append(
        FilterInstruction(
          FilterCode.jumpIfAtLeast, ranges[middle].first, jumpTrue: distance))
    } else {
      program.instructions.append(
        FilterInstruction(FilterCode.jumpIfAtLeast, ranges[middle].first, jumpFalse: 1))
      program.instructions.append(
        FilterInstruction(FilterCode.jump, UInt32(below.instructions.count)))
    }
    program.append(below)
    program.append(atLeast)
    return program
  }

  private func leaf(_ rule: CallRule?) -> FilterProgram {
    switch rule {
    case nil: finish(violation)
    case .allow: finish(FilterAction.allow)
    case .refuse(let errno): finish(FilterAction.errno(errno))
    case .allowIf(let alternatives, let refusal): conditional(alternatives, otherwise: refusal)
    }
  }

  private func conditional(_ alternatives: [[Condition]], otherwise: Refusal) -> FilterProgram {
    var program = FilterProgram(instructions: [], processSlots: [])
    for alternative in alternatives { program.append(block(alternative)) }
    switch otherwise {
    case .errno(let errno): program.append(finish(FilterAction.errno(errno)))
    case .violation: program.append(finish(violation))
    }
    return program
  }

  /// Allows when all conditions hold; else control goes on behind it.
  private func block(_ conditions: [Condition]) -> FilterProgram {
    var program = FilterProgram(instructions: [], processSlots: [])
    for condition in conditions {
      program.instructions.append(
        FilterInstruction(FilterCode.load, CallRecord.low(condition.argument)))
      if condition.mask != .max {
        program.instructions.append(FilterInstruction(FilterCode.and, condition.mask))
      }
      switch condition.operand {
      case .constant(let value):
        program.instructions.append(FilterInstruction(FilterCode.jumpIfEqual, value))
      case .ownProcess:
        program.processSlots.append(program.instructions.count)
        program.instructions.append(FilterInstruction(FilterCode.jumpIfEqual, 0))
      }
      if condition.isLong {
        program.instructions.append(
          FilterInstruction(FilterCode.load, CallRecord.high(condition.argument)))
        program.instructions.append(FilterInstruction(FilterCode.jumpIfEqual, 0))
      }
    }
    program.append(finish(FilterAction.allow))
    let end = program.instructions.count
    for index in program.instructions.indices
    where program.instructions[index].code == FilterCode.jumpIfEqual {
      program.instructions[index].jumpFalse = UInt8(clamping: end - index - 1)
    }
    return program
  }

  private func finish(_ action: UInt32) -> FilterProgram {
    FilterProgram(
      instructions: [FilterInstruction(FilterCode.finish, action)], processSlots: [])
  }
}

extension FilterProgram {
  fileprivate mutating func append(_ other: FilterProgram) {
    processSlots += other.processSlots.map { $0 + instructions.count }
    instructions += other.instructions
  }
}
