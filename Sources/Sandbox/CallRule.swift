/// What a condition compares an argument with.
package enum Operand: Sendable, Equatable {
  case constant(UInt32)
  /// The pid of the process that applies the filter, known only then.
  case ownProcess
}

/// A claim about one argument of a call.
///
/// The kernel reads an `int` argument from the low half of the register only, and so do we. `isLong`
/// also asks for a high half of zero: pointers, and words that the kernel takes whole.
package struct Condition: Sendable, Equatable {
  /// 0…5.
  package var argument: Int
  /// Bits of the low half that count.
  package var mask: UInt32
  package var operand: Operand
  package var isLong: Bool

  package init(argument: Int, mask: UInt32 = .max, operand: Operand, isLong: Bool = false) {
    self.argument = argument
    self.mask = mask
    self.operand = operand
    self.isLong = isLong
  }

  package static func int(_ argument: Int, _ value: UInt32) -> Condition {
    Condition(argument: argument, operand: .constant(value))
  }

  package static func null(_ argument: Int) -> Condition {
    Condition(argument: argument, operand: .constant(0), isLong: true)
  }

  package static func noBits(_ argument: Int, of mask: UInt32) -> Condition {
    Condition(argument: argument, mask: mask, operand: .constant(0))
  }

  /// All of `required`, any of `optional`, nothing else.
  package static func flags(_ argument: Int, required: UInt32, optional: UInt32) -> Condition {
    Condition(
      argument: argument, mask: ~optional, operand: .constant(required), isLong: true)
  }

  package static func ownProcess(_ argument: Int) -> Condition {
    Condition(argument: argument, operand: .ownProcess)
  }
}

/// How a call that may not pass is answered.
package enum Refusal: Sendable, Equatable {
  /// The call does nothing and gives this errno: for probes that libraries make and cope with.
  case errno(UInt16)
  /// As the policy says for a violation: the process ends.
  case violation
}

/// What one call may do; a call without a rule is a violation.
package enum CallRule: Sendable, Equatable {
  case allow
  case refuse(errno: UInt16)
  /// Passes when all conditions of at least one list hold.
  case allowIf([[Condition]], otherwise: Refusal)
}
