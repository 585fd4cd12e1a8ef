/// The curve of IEC 61966-2-1 on whole rows, worked out eight values at a time.
///
/// Carried on above 1 by its formula; negative values count as 0. Within 2e-6 of the exact values in 0…1.
package enum StandardCurveRow {
  /// Light to encoded values, in place; up to seven values beyond the count may be touched.
  package static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
    for index in stride(from: 0, to: count, by: 8) {
      let light = unsafe SIMD8(row, index)
      var value = 1.055 * FastPower.power(light, 1 / 2.4) - 0.055
      value.replace(with: light * 12.92, where: light .<= 0.0031308)
      value.replace(with: 0, where: light .<= 0)
      unsafe value.store(row, index)
    }
  }

  /// Encoded values to light, in place; up to seven values beyond the count may be touched.
  package static func decode(_ row: UnsafeMutablePointer<Float>, count: Int) {
    for index in stride(from: 0, to: count, by: 8) {
      let encoded = unsafe SIMD8(row, index)
      var value = FastPower.power((encoded + 0.055) * (1 / 1.055), 2.4)
      value.replace(with: encoded * (1 / 12.92), where: encoded .<= 0.04045)
      value.replace(with: 0, where: encoded .<= 0)
      unsafe value.store(row, index)
    }
  }
}
