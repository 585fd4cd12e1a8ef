/// Writes ICC profiles from the specification, for tests.
struct ProfileBuilder {
  var version: UInt8 = 4
  var deviceClass = "mntr"
  var model = "RGB "
  var connection = "XYZ "
  var tags: [(String, [UInt8])] = []

  var bytes: [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header[8] = version
    header.replaceSubrange(12..<16, with: Array(deviceClass.utf8))
    header.replaceSubrange(16..<20, with: Array(model.utf8))
    header.replaceSubrange(20..<24, with: Array(connection.utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    var table = Self.word(tags.count)
    var body: [UInt8] = []
    let start = 132 + 12 * tags.count
    for (name, data) in tags {
      table += Array(name.utf8) + Self.word(start + body.count) + Self.word(data.count)
      body += data
      while body.count % 4 != 0 { body.append(0) }
    }
    var all = header + table + body
    all.replaceSubrange(0..<4, with: Self.word(all.count))
    return all
  }

  static func word(_ value: Int) -> [UInt8] {
    let value = UInt32(truncatingIfNeeded: value)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func half(_ value: Int) -> [UInt8] { Array(word(value).suffix(2)) }

  static func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65_536).rounded())) }

  static func type(_ name: String) -> [UInt8] { Array(name.utf8) + word(0) }

  static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    type("XYZ ") + fixed(x) + fixed(y) + fixed(z)
  }

  static func gamma(_ exponent: Double) -> [UInt8] {
    type("curv") + word(1) + half(Int(exponent * 256))
  }

  static func samples(_ count: Int, _ function: (Double) -> Double) -> [UInt8] {
    type("curv") + word(count)
      + (0..<count).flatMap {
        half(Int((function(Double($0) / Double(count - 1)) * 65_535).rounded()))
      }
  }

  static func parametric(_ kind: Int, _ parameters: [Double]) -> [UInt8] {
    type("para") + half(kind) + half(0) + parameters.flatMap(fixed)
  }

  static func description(_ text: String) -> [UInt8] {
    type("desc") + word(text.utf8.count + 1) + Array(text.utf8)
      + [UInt8](repeating: 0, count: 79)
  }

  static func localised(_ texts: [(String, String)]) -> [UInt8] {
    var records: [UInt8] = []
    var body: [UInt8] = []
    for (language, text) in texts {
      let units = text.utf16.flatMap { half(Int($0)) }
      records += Array(language.utf8) + word(units.count)
      records += word(16 + 12 * texts.count + body.count)
      body += units
    }
    return type("mluc") + word(texts.count) + word(12) + records + body
  }

  /// The colourants of the ICC's own sRGB profile, relative to D50.
  static let sRGBColourants: [(String, [UInt8])] = [
    ("rXYZ", xyz(0.43607, 0.22249, 0.01392)), ("gXYZ", xyz(0.38515, 0.71687, 0.09708)),
    ("bXYZ", xyz(0.14307, 0.06061, 0.71410)),
  ]
  /// Of Apple's Display P3 profile.
  static let displayP3Colourants: [(String, [UInt8])] = [
    ("rXYZ", xyz(0.51512, 0.24120, -0.00105)), ("gXYZ", xyz(0.29198, 0.69225, 0.04189)),
    ("bXYZ", xyz(0.15710, 0.06657, 0.78407)),
  ]
  /// Of Adobe RGB (1998).
  static let adobeRGBColourants: [(String, [UInt8])] = [
    ("rXYZ", xyz(0.60974, 0.31111, 0.01947)), ("gXYZ", xyz(0.20528, 0.62567, 0.06087)),
    ("bXYZ", xyz(0.14919, 0.06322, 0.74457)),
  ]
  static let sRGBCurve = parametric(
    3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

  static func rgb(
    _ colourants: [(String, [UInt8])], curve: [UInt8], name: String = "Test"
  ) -> ProfileBuilder {
    ProfileBuilder(
      tags: [("desc", localised([("enUS", name)]))] + colourants
        + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) })
  }
}
