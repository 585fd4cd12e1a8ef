/// What the numbers of a picture mean: a transfer curve for each channel and the way to the working space.
package struct RGBSpace: Hashable, Sendable {
  package let name: String
  /// Three, for red, green and blue; a grey space has the same one three times.
  package let curves: [TransferCurve]
  /// Linear RGB of this space to linear RGB with Rec. 2020 primaries and the white of D65.
  package let toWorking: Matrix3
  /// How codes stand for light where no curve of a channel alone says; nil for all spaces but those of HDR.
  package var hdr: HDRSignal?
  /// Whether the three samples are Lab under D50 in the 16 bits of ICC version 4, and no RGB.
  package private(set) var isLab = false

  package init(name: String, curve: TransferCurve, toWorking: Matrix3) {
    self.init(name: name, curves: (curve, curve, curve), toWorking: toWorking)
  }

  init(
    name: String, curves: (TransferCurve, TransferCurve, TransferCurve), toWorking: Matrix3
  ) {
    self.name = name
    self.curves = [curves.0, curves.1, curves.2]
    self.toWorking = toWorking
  }

  init(name: String, hdr: HDRSignal, toWorking: Matrix3) {
    self.init(name: name, curve: .linear, toWorking: toWorking)
    self.hdr = hdr
  }

  /// Whites other than D65 are adapted by Bradford.
  package init(name: String, curve: TransferCurve, primaries: Primaries) {
    self.init(name: name, curve: curve, toWorking: Self.toWorking(primaries))
  }

  package static let sRGB = RGBSpace(name: "sRGB", curve: .sRGB, primaries: .rec709)
  package static let displayP3 = RGBSpace(
    name: "Display P3", curve: .sRGB, primaries: .displayP3)
  /// Linear light, Rec. 2020 primaries, D65.
  package static let working = RGBSpace(
    name: "linear Rec. 2020", curve: .linear, toWorking: .identity)

  /// Lab, for samples that a colour library gives.
  package static let lab: RGBSpace = {
    var space = RGBSpace(name: "Lab", curve: .linear, toWorking: .identity)
    space.isLab = true
    return space
  }()

  /// XYZ under D65 to the working space.
  static let xyzToWorking = Primaries.rec2020.toXYZ.inverse ?? .identity
  static let workingToXYZ = Primaries.rec2020.toXYZ
  /// The luminance Y of a working-space colour.
  static let workingLuminance = Primaries.rec2020.toXYZ.rows.second

  /// Working space to linear RGB of this space.
  package var fromWorking: Matrix3 { toWorking.inverse ?? .identity }
}
