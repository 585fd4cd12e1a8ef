/// The curve of IEC 61966-2-1 on whole rows, worked out four values at a time.
///
/// Carried on above 1 by its formula; negative values count as 0. Within 2e-6 of the exact values in 0…1.
package enum StandardCurveRow {
  /// Light to encoded values, in place; up to three values beyond the count may be touched.
  package static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
    let row = UnsafeMutableRawPointer(row)
    for offset in stride(from: 0, to: count * 4, by: 16) {
      let light = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      var value = 1.055 * FastPower.power(light, 1 / 2.4) - 0.055
      value.replace(with: light * 12.92, where: light .<= 0.0031308)
      value.replace(with: 0, where: light .<= 0)
      unsafe row.storeBytes(of: value, toByteOffset: offset, as: SIMD4<Float>.self)
    }
  }

  /// Encoded values to light, in place; up to three values beyond the count may be touched.
  package static func decode(_ row: UnsafeMutablePointer<Float>, count: Int) {
    let row = UnsafeMutableRawPointer(row)
    for offset in stride(from: 0, to: count * 4, by: 16) {
      let encoded = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      var value = FastPower.power((encoded + 0.055) * (1 / 1.055), 2.4)
      value.replace(with: encoded * (1 / 12.92), where: encoded .<= 0.04045)
      value.replace(with: 0, where: encoded .<= 0)
      unsafe row.storeBytes(of: value, toByteOffset: offset, as: SIMD4<Float>.self)
    }
  }
}
