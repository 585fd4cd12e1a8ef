package import ColourEngine

/// The ICC profiles of the spaces that a rendition can be put into.
///
/// Written here because those of the library are either large or approximate: these are version 4.3,
/// with curves as formulas where they are ones, about 500 bytes.
package enum EmbeddedProfile {
  package static let sRGB = bytes(of: .sRGB)
  package static let displayP3 = bytes(of: .displayP3)
  package static let adobeRGB = bytes(of: .adobeRGB)
  package static let rec2020 = bytes(of: .rec2020)

  /// A matrix profile of any space without HDR; the standard ones are made once.
  package static func profile(of space: RGBSpace) -> [UInt8] {
    switch space {
    case .sRGB: sRGB
    case .displayP3: displayP3
    case .adobeRGB: adobeRGB
    case .rec2020: rec2020
    default: bytes(of: space)
    }
  }

  private static func bytes(of space: RGBSpace) -> [UInt8] {
    let adaptation = Bradford.adaptation(from: Chromaticity.d65.xyz, to: Bradford.connectionWhite)
    let matrix = adaptation * Primaries.rec2020.toXYZ * space.toWorking
    var elements: [(names: [String], data: [UInt8])] = [
      (["desc"], text(space.name)), (["cprt"], text("No copyright, use freely")),
      (["wtpt"], xyz(Bradford.connectionWhite)),
      (["chad"], type("sf32") + rows(of: adaptation).flatMap(fixed)),
      (["rXYZ"], xyz(matrix.column(0))), (["gXYZ"], xyz(matrix.column(1))),
      (["bXYZ"], xyz(matrix.column(2))),
    ]
    let curves = zip(["rTRC", "gTRC", "bTRC"], space.curves.map(curve))
    for (name, data) in curves {
      if let same = elements.firstIndex(where: { $0.data == data }) {
        elements[same].names.append(name)
      } else {
        elements.append(([name], data))
      }
    }
    return assemble(elements)
  }

  /// Header, tag table and tag data, each on a four-byte border.
  private static func assemble(_ elements: [(names: [String], data: [UInt8])]) -> [UInt8] {
    let count = elements.reduce(0) { $0 + $1.names.count }
    var table = number(count, 4)
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * count
    for element in elements {
      for name in element.names {
        table += Array(name.utf8) + number(start + data.count, 4) + number(element.data.count, 4)
      }
      data += element.data
      while data.count % 4 != 0 { data.append(0) }
    }
    return header(size: start + data.count) + table + data
  }

  private static func header(size: Int) -> [UInt8] {
    var bytes = number(size, 4) + number(0, 4) + number(0x0430_0000, 4)
    bytes += Array("mntrRGB XYZ ".utf8)
    // A date that never changes, so that equal jobs give equal bytes.
    bytes += [2024, 1, 1, 0, 0, 0].flatMap { number($0, 2) }
    bytes += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    let white = Bradford.connectionWhite
    bytes += fixed(white.x) + fixed(white.y) + fixed(white.z)
    return bytes + [UInt8](repeating: 0, count: 128 - bytes.count)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// s15Fixed16.
  private static func fixed(_ value: Double) -> [UInt8] {
    number(Int((value * 65_536).rounded()), 4)
  }

  private static func type(_ name: String) -> [UInt8] { Array(name.utf8) + number(0, 4) }

  private static func xyz(_ value: SIMD3<Double>) -> [UInt8] {
    type("XYZ ") + fixed(value.x) + fixed(value.y) + fixed(value.z)
  }

  private static func text(_ value: String) -> [UInt8] {
    let units = value.utf16.flatMap { number(Int($0), 2) }
    return type("mluc") + number(1, 4) + number(12, 4) + Array("enUS".utf8)
      + number(units.count, 4) + number(28, 4) + units
  }

  private static func curve(_ curve: TransferCurve) -> [UInt8] {
    switch curve {
    case .linear: parametric(0, [1])
    case .gamma(let exponent): parametric(0, [exponent])
    case .sRGB: parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    case .parametric(let function, let values): parametric(function, values)
    case .table(let samples):
      type("curv") + number(samples.count, 4)
        + samples.flatMap { number(Int((min(max($0, 0), 1) * 65_535).rounded()), 2) }
    }
  }

  /// The functions of ICC.1, 10.18, with their numbers in the order g, a, b, c, d, e, f.
  private static func parametric(_ function: Int, _ values: [Double]) -> [UInt8] {
    type("para") + number(function, 2) + number(0, 2) + values.flatMap(fixed)
  }

  private static func rows(of matrix: Matrix3) -> [Double] {
    [matrix.rows.first, matrix.rows.second, matrix.rows.third].flatMap { [$0.x, $0.y, $0.z] }
  }
}
