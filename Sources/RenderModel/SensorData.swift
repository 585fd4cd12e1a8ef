/// Values of a TIFF's tags that stand for the data of a sensor and not for a picture.
package enum SensorData {
  /// Of PhotometricInterpretation: a colour filter array, and linear RAW.
  package static let photometries = [32_803, 34_892]
  /// Of Compression: what Nikon, Sony, Pentax and Kodak have of their own.
  package static let compressions = [34_713, 32_767, 65_535, 65_000]
}
