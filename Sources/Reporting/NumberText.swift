/// Numbers in the few forms that progress and summaries show.
enum NumberText {
  /// With so many decimals, rounded half away from zero; `-` for what is no finite number.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (value * scale).rounded()
    guard scaled.isFinite, abs(scaled) < 9e15 else { return "-" }
    let digits = String(Int64(abs(scaled)))
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// Three significant figures where that is less than a thousand: `0.214`, `12.3`, `4210`.
  static func short(_ value: Double) -> String {
    switch abs(value) {
    case ..<1: fixed(value, decimals: 3)
    case ..<10: fixed(value, decimals: 2)
    case ..<100: fixed(value, decimals: 1)
    default: fixed(value, decimals: 0)
    }
  }

  /// `0:07`, `12:34`, `1:02:03`; hours have no limit.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "-" }
    let whole = Int(max(0, seconds).rounded(.up))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// To three decimals, for programs; 0 for what is no finite number.
  static func thousandths(_ value: Double) -> Double {
    let rounded = (value * 1000).rounded() / 1000
    return rounded.isFinite ? rounded : 0
  }
}
