/// Finds the earlier job with an equal value, in 8 bytes a value.
///
/// Holds 32 bits of each value's hash and the job's number, not the value: what looks equal is
/// confirmed by the caller, who reads the earlier job again. An open-addressing table whose slots are
/// ordered by the hash itself, so that it grows without hashing anything again.
package struct OrdinalIndex {
  /// 0 is free; else the hash above the number plus 1.
  private var slots: [UInt64]
  private var count = 0
  /// The slot is the uppermost bits of the hash.
  private var bits: UInt32

  package init(bits: UInt32 = 10) {
    self.bits = bits
    slots = [UInt64](repeating: 0, count: 1 << Int(bits))
  }

  /// The number of the earlier value that the body confirms to be equal; else adds this one.
  package mutating func insert<Failure: Error>(
    hash: UInt32, number: UInt32, isEqual: (UInt32) throws(Failure) -> Bool
  ) throws(Failure) -> UInt32? {
    if count >= slots.count / 4 * 3 { grow() }
    var slot = Int(hash >> (32 - bits))
    while slots[slot] != 0 {
      let entry = slots[slot]
      if UInt32(truncatingIfNeeded: entry >> 32) == hash {
        let earlier = UInt32(truncatingIfNeeded: entry) - 1
        if try isEqual(earlier) { return earlier }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = UInt64(hash) << 32 | UInt64(number + 1)
    count += 1
    return nil
  }

  /// The number of an earlier value that the body confirms to be equal; adds nothing.
  package func find<Failure: Error>(
    hash: UInt32, isEqual: (UInt32) throws(Failure) -> Bool
  ) throws(Failure) -> UInt32? {
    var slot = Int(hash >> (32 - bits))
    while slots[slot] != 0 {
      let entry = slots[slot]
      if UInt32(truncatingIfNeeded: entry >> 32) == hash {
        let earlier = UInt32(truncatingIfNeeded: entry) - 1
        if try isEqual(earlier) { return earlier }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func grow() {
    let old = slots
    // 32 bits of hash can tell no more slots apart; beyond that the table only gets fuller.
    guard bits < 31 else { return }
    bits += 1
    slots = [UInt64](repeating: 0, count: 1 << Int(bits))
    for entry in old where entry != 0 {
      var slot = Int(UInt32(truncatingIfNeeded: entry >> 32) >> (32 - bits))
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
