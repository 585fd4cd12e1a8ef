import CVipsChain
import ColourEngine
import Glibc

/// The basic filters of `FilterSets` as operations of libvips, one after the other, each in the space
/// that its definition asks for.
enum LibraryChain {
  enum Step {
    case linear(Double)
    /// On linear sRGB.
    case matrix(Matrix3)
    /// On encoded values 0…1.
    case table((Double) -> Double)
  }

  static func basic() -> [Step] {
    let balance =
      RGBSpace.sRGB.fromWorking * TemperatureTint.matrix(temperature: 5600, tint: 8)
      * RGBSpace.sRGB.toWorking
    let points = [(0.0, 0.0), (0.25, 0.22), (0.75, 0.8), (1.0, 1.0)]
    return [
      .linear(exp2(0.3)), .matrix(balance), .table { ($0 - 0.5) * 1.15 + 0.5 },
      .matrix(saturation(1.1)), .table { $0 + 0.02 }, .matrix(hue(degrees: 4)),
      .table { pow(min(max(($0 - 0.02) / 0.95, 0), 1), 1 / 1.05) },
      // Straight lines do: only the time is of interest.
      .table { value in
        for (from, to) in zip(points, points.dropFirst()) where value <= to.0 {
          return from.1 + (to.1 - from.1) * (value - from.0) / (to.0 - from.0)
        }
        return 1
      },
    ]
  }

  private static func saturation(_ amount: Double) -> Matrix3 {
    let rest = SIMD3(0.2126, 0.7152, 0.0722) * (1 - amount)
    return Matrix3(rest + [amount, 0, 0], rest + [0, amount, 0], rest + [0, 0, amount])
  }

  /// The matrix of the W3C's filter effects, hue-rotate().
  private static func hue(degrees: Double) -> Matrix3 {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return Matrix3(
      [
        0.213 + 0.787 * c - 0.213 * s, 0.715 - 0.715 * c - 0.715 * s, 0.072 - 0.072 * c + 0.928 * s,
      ],
      [
        0.213 - 0.213 * c + 0.143 * s, 0.715 + 0.285 * c + 0.140 * s, 0.072 - 0.072 * c - 0.283 * s,
      ],
      [0.213 - 0.213 * c - 0.787 * s, 0.715 - 0.715 * c + 0.715 * s, 0.072 + 0.928 * c + 0.072 * s])
  }

  static func run(_ steps: [Step], from input: String, to output: String) throws {
    let tables = steps.map { step -> [UInt16] in
      guard case .table(let function) = step else { return [] }
      return (0..<65_536).map { code in
        UInt16(min(max(function(Double(code) / 65_535), 0), 1) * 65_535 + 0.5)
      }
    }
    // One piece of memory, which stays where it is while the chain runs.
    let all = UnsafeMutableBufferPointer<UInt16>.allocate(
      capacity: max(1, tables.reduce(0) { $0 + $1.count }))
    defer { unsafe all.deallocate() }
    _ = unsafe all.initialize(from: tables.joined())
    var offset = 0
    var chain: [chain_step] = unsafe []
    for (step, table) in zip(steps, tables) {
      var entry = unsafe chain_step()
      switch step {
      case .linear(let gain):
        unsafe entry.kind = CHAIN_LINEAR
        unsafe entry.values.0 = gain
      case .matrix(let matrix):
        unsafe entry.kind = CHAIN_MATRIX
        let rows = matrix.rows
        unsafe entry.values = (
          rows.first.x, rows.first.y, rows.first.z, rows.second.x, rows.second.y, rows.second.z,
          rows.third.x, rows.third.y, rows.third.z
        )
      case .table:
        unsafe entry.kind = CHAIN_TABLE
        unsafe entry.table = UnsafePointer(all.baseAddress.map { unsafe $0 + offset })
        offset += table.count
      }
      unsafe chain.append(entry)
    }
    var words = [CChar](repeating: 0, count: 512)
    let status = unsafe chain_run(
      input, output, chain, Int32(chain.count), &words, words.count)
    guard status == 0 else {
      let text = String(
        decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw BenchFailure("the chain of libvips failed: \(text)")
    }
  }
}
