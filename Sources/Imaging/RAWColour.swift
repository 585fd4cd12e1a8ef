import ColourEngine

/// What the numbers of developed sensor data mean.
enum RAWColour {
  /// LibRaw's number of the space in which cameras of four colours are given out.
  static let proPhoto: Int32 = 4

  /// LibRaw's own matrix, from linear sRGB, whose white stays white.
  private static let toProPhoto = Matrix3(
    [0.529317, 0.330092, 0.140588], [0.098368, 0.873465, 0.028169], [0.016879, 0.117663, 0.865457])

  /// Linear; 1 is where the first colour of the sensor is full, and others go beyond it.
  static func space(of info: RAWInfo) -> RGBSpace {
    let toSRGB: Matrix3
    switch info.colours {
    case 1: toSRGB = .identity
    case 4: toSRGB = toProPhoto.inverse ?? .identity
    default:
      let rows = stride(from: 0, to: 9, by: 3).map { start -> SIMD3<Double> in
        [info.toSRGB[start], info.toSRGB[start + 1], info.toSRGB[start + 2]]
      }
      let matrix = Matrix3(rows[0], rows[1], rows[2])
      toSRGB = info.hasCameraMatrix && matrix.isFinite ? matrix : .identity
    }
    let gain = gain(of: info)
    return RGBSpace(
      name: "camera RGB", curve: .linear,
      toWorking: RGBSpace.sRGB.toWorking * toSRGB * Matrix3(diagonal: [gain, gain, gain]))
  }

  /// What the samples are to be multiplied by so that the first colour to be full is full at 1.
  ///
  /// LibRaw scales the last one to be full to the largest number instead, so that none is cut.
  static func gain(of info: RAWInfo) -> Double {
    guard info.colours != 4, let least = info.multipliers.min(), least > 0.01, least < 1 else {
      return 1
    }
    return 1 / least
  }
}
