package import ColourEngine

/// The ICC profiles of the spaces that a rendition can be put into.
///
/// Written here because those of the library are either large or approximate: these are version 4.3,
/// with the curve of IEC 61966-2-1 as a formula, about 500 bytes.
package enum EmbeddedProfile {
  package static let sRGB = bytes(named: "sRGB", primaries: .rec709)
  package static let displayP3 = bytes(named: "Display P3", primaries: .displayP3)

  /// Of the primaries of a space, with light itself for numbers.
  package static func linear(_ space: RGBSpace) -> [UInt8] {
    bytes(
      named: space.name, toXYZ: Primaries.rec2020.toXYZ * space.toWorking,
      curve: type("para") + number(0, 4) + fixed(1))
  }

  private static func bytes(named name: String, primaries: Primaries) -> [UInt8] {
    bytes(
      named: name, toXYZ: primaries.toXYZ,
      curve: parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]))
  }

  private static func bytes(named name: String, toXYZ: Matrix3, curve: [UInt8]) -> [UInt8] {
    let adaptation = Bradford.adaptation(from: Chromaticity.d65.xyz, to: Bradford.connectionWhite)
    let matrix = adaptation * toXYZ
    return assemble([
      (["desc"], text(name)), (["cprt"], text("No copyright, use freely")),
      (["wtpt"], xyz(Bradford.connectionWhite)),
      (["chad"], type("sf32") + rows(of: adaptation).flatMap(fixed)),
      (["rXYZ"], xyz(matrix.column(0))), (["gXYZ"], xyz(matrix.column(1))),
      (["bXYZ"], xyz(matrix.column(2))), (["rTRC", "gTRC", "bTRC"], curve),
    ])
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

  /// Function type 3: (ax + b)^g from d on, cx below it; given as g, a, b, c, d.
  private static func parametric(_ values: [Double]) -> [UInt8] {
    type("para") + number(3, 2) + number(0, 2) + values.flatMap(fixed)
  }

  private static func rows(of matrix: Matrix3) -> [Double] {
    [matrix.rows.first, matrix.rows.second, matrix.rows.third].flatMap { [$0.x, $0.y, $0.z] }
  }
}
