extension HandMade {
  /// An ICC profile, version 4, of three colourants and one curve.
  ///
  /// `curve`: g, a, b, c and d of (ax + b)^g from d on, cx below, function 3 of `para`.
  static func profile(_ name: String, colourants: [[Double]], curve: [Double]) -> [UInt8] {
    let units = name.utf16.flatMap { big(Int($0), 2) }
    let text = tag("mluc") + big(1, 4) + big(12, 4) + Array("enUS".utf8) + big(units.count, 4)
    let tags: [(names: [String], data: [UInt8])] =
      [(["desc"], text + big(28, 4) + units)]
      + zip(["rXYZ", "gXYZ", "bXYZ"], colourants).map { name, colourant in
        ([name], tag("XYZ ") + colourant.flatMap(fixed))
      } + [(["rTRC", "gTRC", "bTRC"], tag("para") + big(3, 2) + big(0, 2) + curve.flatMap(fixed))]
    let count = tags.reduce(0) { $0 + $1.names.count }
    var (table, data) = (big(count, 4), [UInt8]())
    for element in tags {
      for name in element.names {
        table += Array(name.utf8) + big(132 + 12 * count + data.count, 4)
        table += big(element.data.count, 4)
      }
      data += element.data + [UInt8](repeating: 0, count: -element.data.count & 3)
    }
    var header = big(128 + table.count + data.count, 4) + big(0, 4) + big(0x0430_0000, 4)
    header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + [0.9642, 1, 0.8249].flatMap(fixed)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  /// s15Fixed16.
  private static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65_536).rounded()), 4) }

  private static func tag(_ type: String) -> [UInt8] { Array(type.utf8) + big(0, 4) }
}
