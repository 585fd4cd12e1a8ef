import ColourEngine
import Testing

@Suite struct RGBSpaceTests {
  private func matrix(_ rows: [[Double]]) -> Matrix3 {
    let rows = rows.map { SIMD3($0[0], $0[1], $0[2]) }
    return Matrix3(rows[0], rows[1], rows[2])
  }

  @Test("the primaries give the matrices that CSS Color 4 publishes")
  func toXYZ() {
    #expect(Primaries.rec709.toXYZ.distance(to: matrix(Reference.sRGBToXYZ)) < 1e-12)
    #expect(Primaries.displayP3.toXYZ.distance(to: matrix(Reference.displayP3ToXYZ)) < 1e-12)
    #expect(Primaries.rec2020.toXYZ.distance(to: matrix(Reference.rec2020ToXYZ)) < 1e-12)
  }

  @Test("Display P3 becomes sRGB by the published matrix")
  func displayP3ToSRGB() {
    let published = Matrix3(
      [1.2249401762805598, -0.22494017628055996, 0],
      [-0.042056954709688163, 1.0420569547096881, 0],
      [-0.019637554590334432, -0.078636045550631889, 1.0982736001409663])
    let ours = RGBSpace.sRGB.fromWorking * RGBSpace.displayP3.toWorking
    #expect(ours.distance(to: published) < 1e-12)
  }

  @Test("white stays white in every space", arguments: [RGBSpace.sRGB, .displayP3, .working])
  func white(space: RGBSpace) {
    let white = space.toWorking.apply([1, 1, 1])
    #expect(abs(white.x - 1) + abs(white.y - 1) + abs(white.z - 1) < 1e-12)
  }

  @Test("Bradford takes D50 to D65 by the published matrix")
  func bradford() {
    let published = Matrix3(
      [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
      [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
      [0.012314014864481998, -0.020507649298898964, 1.330365926242124])
    let d50 = Chromaticity(x: 0.3457, y: 0.3585)
    let ours = Bradford.adaptation(from: d50.xyz, to: Chromaticity.d65.xyz)
    #expect(ours.distance(to: published) < 1e-6)
    #expect(Bradford.adaptation(from: d50.xyz, to: d50.xyz) == .identity)
  }
}
