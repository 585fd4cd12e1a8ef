import CSystem
import Glibc

/// The name of this machine.
package enum HostName {
  /// Empty when the system doesn't say.
  package static func current() -> String {
    SystemText.read("/proc/sys/kernel/hostname") ?? ""
  }
}

/// What tells one start of the machine, and one process, from the next with the same number.
package enum BootIdentity {
  /// A new identifier at each start of the machine; empty when the system doesn't say.
  package static func current() -> String {
    SystemText.read("/proc/sys/kernel/random/boot_id") ?? ""
  }

  /// Clock ticks from the machine's start to the process's; nil when there is no such process.
  package static func processStartTime(_ pid: Int32) -> UInt64? {
    guard let text = SystemText.read("/proc/\(pid)/stat") else { return nil }
    return startTime(inStat: text)
  }

  /// Field 22; the program's name before it may hold spaces and parentheses.
  package static func startTime(inStat text: String) -> UInt64? {
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    // The first field after the name is number 3.
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }
}

/// Random bytes for names that nobody else may have chosen.
package enum RandomBytes {
  /// Lower-case hexadecimal, two digits a byte.
  package static func hex(_ bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    var result = ""
    for _ in 0..<max(0, bytes) {
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      result += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return result
  }
}
