import ColourEngine

extension ColourSignals {
  /// The chunks before the pixels of a PNG: cICP, sRGB, gAMA with cHRM, cLLI, mDCV.
  init(pngChunks chunks: [String: [UInt8]]) {
    if let data = chunks["cICP"], data.count == 4 {
      coded = CodedColour(
        primaries: Int(data[0]), transfer: Int(data[1]), matrix: Int(data[2]),
        fullRange: data[3] == 1, peakLuminance: Self.peak(chunks))
      prefersCoded = true
    }
    if chunks["sRGB"] != nil {
      space = .sRGB
    } else if let data = chunks["gAMA"], data.count == 4 {
      space = Self.space(gamma: Self.number(data, 0), chunks["cHRM"])
    }
  }

  /// The brightest of the content or else of its master, in cd/m².
  private static func peak(_ chunks: [String: [UInt8]]) -> Double? {
    if let data = chunks["cLLI"], data.count == 8, number(data, 0) > 0 {
      return Double(number(data, 0)) / 10_000
    }
    if let data = chunks["mDCV"], data.count == 24, number(data, 16) > 0 {
      return Double(number(data, 16)) / 10_000
    }
    return nil
  }

  /// nil when the numbers make no sense.
  private static func space(gamma: Int, _ corners: [UInt8]?) -> RGBSpace? {
    guard gamma > 0 else { return nil }
    let exponent = 100_000 / Double(gamma)
    guard exponent >= 0.1, exponent <= 10 else { return nil }
    let primaries = corners.flatMap { Self.primaries($0) } ?? .rec709
    let isSRGB = primaries.isNearly(.rec709)
    // What encoders write for sRGB beside or in place of its own chunk.
    if isSRGB, (45_000...46_000).contains(gamma) { return .sRGB }
    return RGBSpace(
      name: "PNG gamma \(Double(gamma) / 100_000)",
      curve: abs(exponent - 1) < 1e-3 ? .linear : .gamma(exponent),
      primaries: isSRGB ? .rec709 : primaries)
  }

  private static func primaries(_ data: [UInt8]) -> Primaries? {
    guard data.count == 32 else { return nil }
    let corners = (0..<4).map { index in
      Chromaticity(
        x: Double(number(data, 8 * index)) / 100_000,
        y: Double(number(data, 8 * index + 4)) / 100_000)
    }
    guard corners.allSatisfy({ $0.x >= 0 && $0.x <= 1 && $0.y > 0 && $0.y <= 1 }) else {
      return nil
    }
    let primaries = Primaries(
      red: corners[1], green: corners[2], blue: corners[3], white: corners[0])
    return primaries.isUsable ? primaries : nil
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
