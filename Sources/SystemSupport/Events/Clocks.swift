import CSystem
import Glibc

/// Time since the machine started, sleep included; no clock change moves it.
package enum BootClock {
  /// Nanoseconds.
  package static func now() -> UInt64 { minilab_boot_clock() }
}

/// The time of day, for people only: never for a deadline.
package enum WallClock {
  /// Nanoseconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Such as `2024-02-29T23:59:59.999Z`, rounded down to milliseconds.
  package static func iso8601(_ nanoseconds: Int64) -> String {
    let milliseconds = floorDivide(nanoseconds, 1_000_000)
    let days = floorDivide(milliseconds, 86_400_000)
    let rest = milliseconds - days * 86_400_000
    let (year, month, day) = civil(days: days)
    let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
    let time =
      "\(pad(rest / 3_600_000, 2)):\(pad(rest / 60_000 % 60, 2)):\(pad(rest / 1000 % 60, 2))"
    return "\(date)T\(time).\(pad(rest % 1000, 3))Z"
  }

  /// Days since 1970 to a Gregorian date, counting in years that begin with March.
  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 719,468 days from 0000-03-01 to 1970-01-01; 146,097 days in 400 years.
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
