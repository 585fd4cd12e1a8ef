extension SegmentedCurves {
  /// Applies one channel's curve to values of that channel, four a piece.
  func apply(to plane: UnsafeMutableBufferPointer<SIMD4<Float>>, channel: Int) {
    // A shift by a number that is known is cheaper; types make it known.
    switch fineness {
    case .coarse: unsafe look(up: plane, channel: channel, CoarseShift.self)
    case .plain: unsafe look(up: plane, channel: channel, PlainShift.self)
    case .fine: unsafe look(up: plane, channel: channel, FineShift.self)
    case .finest: unsafe look(up: plane, channel: channel, FinestShift.self)
    }
  }

  private func look<Shift: BitShift>(
    up plane: UnsafeMutableBufferPointer<SIMD4<Float>>, channel: Int, _ shift: Shift.Type
  ) {
    unsafe pieces.withUnsafeBufferPointer { all in
      guard let start = all.baseAddress else { return }
      let table = unsafe ChannelTable(
        pieces: start + channel * stride, firstBits: firstBits, offset: negativeCount,
        highest: negativeCount + positiveCount - 1)
      if first[channel] > -.infinity || last[channel] < .infinity {
        let ends = CurveEnds(
          first: SIMD4(repeating: first[channel]), last: SIMD4(repeating: last[channel]),
          before: SIMD4(repeating: before[channel]), after: SIMD4(repeating: after[channel]))
        for position in plane.indices {
          let value = unsafe plane[position]
          unsafe plane[position] = ends.held(table.look(up: value, shift), value)
        }
      } else {
        for position in plane.indices {
          unsafe plane[position] = table.look(up: plane[position], shift)
        }
      }
    }
  }
}

/// A number of bits that the compiler knows.
private protocol BitShift {
  static var bits: Int32 { get }
}

private enum CoarseShift: BitShift { static var bits: Int32 { 16 } }
private enum PlainShift: BitShift { static var bits: Int32 { 15 } }
private enum FineShift: BitShift { static var bits: Int32 { 13 } }
private enum FinestShift: BitShift { static var bits: Int32 { 11 } }

/// The pieces of one channel.
@safe private struct ChannelTable {
  let pieces: UnsafePointer<SIMD2<Float>>
  let firstBits: Int32
  let offset: Int32
  let highest: Int32

  @inline(__always)
  func look<Shift: BitShift>(up value: SIMD4<Float>, _ shift: Shift.Type) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(value, to: SIMD4<Int32>.self)
    var index = ((bits & 0x7FFF_FFFF) &>> Shift.bits) &- firstBits
    index.replace(with: 0, where: index .< 0)
    index = (index ^ (bits &>> 31)) &+ offset
    index.replace(with: 0, where: index .< 0)
    index.replace(with: highest, where: index .> highest)
    // Lanes come out cheapest in pairs.
    let pairs = unsafe unsafeBitCast(index, to: SIMD2<UInt64>.self)
    let p0 = unsafe pieces[Int(truncatingIfNeeded: pairs[0] & 0xFFFF_FFFF)]
    let p1 = unsafe pieces[Int(truncatingIfNeeded: pairs[0] >> 32)]
    let p2 = unsafe pieces[Int(truncatingIfNeeded: pairs[1] & 0xFFFF_FFFF)]
    let p3 = unsafe pieces[Int(truncatingIfNeeded: pairs[1] >> 32)]
    return SIMD4(p0.x, p1.x, p2.x, p3.x) + SIMD4(p0.y, p1.y, p2.y, p3.y) * value
  }
}

/// What is held must be exact, however steep the curve is at its end.
private struct CurveEnds {
  let first: SIMD4<Float>
  let last: SIMD4<Float>
  let before: SIMD4<Float>
  let after: SIMD4<Float>

  @inline(__always)
  func held(_ result: SIMD4<Float>, _ value: SIMD4<Float>) -> SIMD4<Float> {
    result.replacing(with: before, where: value .<= first)
      .replacing(with: after, where: value .>= last)
  }
}
