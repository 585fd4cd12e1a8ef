import SystemSupport

/// The name of a run: its UTC start and a random part, so that names sort by time.
package struct RunIdentifier: Hashable, Sendable {
  /// Such as `20260131T142233Z-1a2b3c4d`.
  package let text: String

  /// `now` in nanoseconds since 1970.
  package init(now: Int64 = WallClock.now(), random: String = RandomBytes.hex(4)) {
    let time = WallClock.iso8601(now).prefix(19).filter { $0 != "-" && $0 != ":" }
    text = "\(time)Z-\(random)"
  }

  /// nil for names that are not a run's.
  package init?(name: [UInt8]) {
    let pattern = Array("ddddddddTddddddZ-xxxxxxxx".utf8)
    guard name.count == pattern.count, zip(name, pattern).allSatisfy(Self.fits) else { return nil }
    text = String(decoding: name, as: UTF8.self)
  }

  package var bytes: [UInt8] { Array(text.utf8) }

  private static func fits(_ byte: UInt8, _ pattern: UInt8) -> Bool {
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    switch pattern {
    case UInt8(ascii: "d"): return isDigit
    case UInt8(ascii: "x"):
      return isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    default: return byte == pattern
    }
  }
}

extension RunIdentifier: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
