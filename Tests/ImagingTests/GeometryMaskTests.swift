import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Masks over geometry")
  struct GeometryMasks {
    /// A filter in light behind a soft gradient, so that it may change places with what moves pixels.
    static let masked = {
      var step = FilterStep.exposure(-1)
      step.mask = FilterMask(
        kind: "linearGradient",
        parameters: [
          .init(name: "from", value: .numbers([0.2, 0.1])),
          .init(name: "to", value: .numbers([0.9, 0.7])),
        ])
      return step
    }()

    static let black = [0.0, 0, 0]

    @Test(
      "a mask stays where it was in the picture, whatever is cut, turned, warped or added before",
      arguments: [
        [FilterStep.crop(0.1, 0.2, 0.6, 0.7)], [.straighten(9)],
        [.perspective([[0.2, 0], [0.8, 0.1], [1, 0.95], [0, 0.9]])],
        [.pad(top: 0.3, right: 0.1, left: 0.2, colour: black)],
        [.border(0.1, colour: black), .pad(aspect: 0.7, colour: black)],
        [.border(0.1, inside: true, colour: black)],
        [
          .pad(bottom: 0.2, left: 0.4, colour: black), .straighten(-4),
          .perspective([[0.1, 0.1], [1, 0.05], [0.9, 1], [0, 0.9]]), .crop(0, 0.1, 0.8, 0.9),
        ],
      ], 1...8)
    func places(filters: [FilterStep], orientation: Int) throws {
      var drawing = Drawing.picture(182, 120) { x, y, band in
        [60 + x / 2, 70 + y, 220 - x / 3 - y / 4][band]
      }
      drawing.orientation = orientation
      let file = try drawing.file(.tiff)
      let rendition = Rendition(name: "r", type: .png)
      let before = try Render(file, [rendition], filters: [Self.masked] + filters).decoded()
      let after = try Render(file, [rendition], filters: filters + [Self.masked]).decoded()
      #expect(before.size == after.size)
      // An edge of a canvas that has been turned is sharp, so a few pixels may differ.
      let far = zip(before.samples, after.samples).filter { abs(Int($0) - Int($1)) > 3 }.count
      #expect(far * 100 <= before.samples.count, "\(far) of \(before.samples.count)")
      let plain = try Render(file, [rendition], filters: filters).decoded()
      #expect(worstDifference(after, plain) > 20)
    }
  }
}
