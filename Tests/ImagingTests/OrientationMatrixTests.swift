import Glibc
import Imaging
import RenderModel
import Testing

extension ImagingTests {
  /// Eight orientations in every format, through every kind of geometry; the truth is where EXIF 2.32 puts
  /// a point of the drawing, whose colours tell where they come from.
  @Suite("Every orientation in every format")
  struct OrientationMatrix {
    static let formats = [
      "JPEG", "PNG", "TIFF", "WebP", "AVIF by container", "AVIF by EXIF", "HEIC by container",
      "HEIC by EXIF", "JPEG XL",
    ]
    static let cases = formats.flatMap { format in (1...8).map { (format, $0) } }

    static let width = CodedDrawing.width
    static let height = CodedDrawing.height
    static let drawing = Drawing.picture(width, height) { x, y, band in
      [60 + 2 * x, 60 + 3 * y, 128][band]
    }

    /// Rotation and mirror that show a stored picture as an orientation says.
    static func transforms(_ orientation: Int) -> [[UInt8]] {
      switch orientation {
      case 2: [Box.mirror(1)]
      case 3: [Box.rotation(2)]
      case 4: [Box.mirror(0)]
      case 5: [Box.rotation(3), Box.mirror(1)]
      case 6: [Box.rotation(3)]
      case 7: [Box.rotation(1), Box.mirror(1)]
      case 8: [Box.rotation(1)]
      default: []
      }
    }

    /// TIFF's header and a directory of one entry.
    static func exif(_ orientation: Int) -> [UInt8] {
      Box.number(6, 4) + Array("Exif\0\0MM".utf8) + [0, 42] + Box.number(8, 4) + Box.number(1, 2)
        + Box.number(0x0112, 2) + Box.number(3, 2) + Box.number(1, 4)
        + Box.number(orientation, 2) + Box.number(0, 6)
    }

    static func file(_ format: String, _ orientation: Int) throws -> TemporaryFile {
      let types: [String: UniformType] = [
        "JPEG": .jpeg, "PNG": .png, "TIFF": .tiff, "WebP": .webP,
      ]
      if let type = types[format] {
        var picture = drawing
        picture.orientation = orientation
        if type == .png {
          // No orientation is written without EXIF; chunks follow the header of 33 bytes.
          let bytes = try drawing.file(.png).bytes
          let chunk = PictureNotes.chunk("eXIf", Array(exif(orientation).dropFirst(10)))
          return try TemporaryFile(Array(bytes[..<33]) + chunk + bytes[33...])
        }
        return try picture.file(type, quality: 98)
      }
      if format == "JPEG XL" { return try TemporaryFile(CodedDrawing.jpegXL(orientation)) }
      let byContainer = format.hasSuffix("container")
      let turns = byContainer ? transforms(orientation) : []
      var assembly = HEIFAssembly()
      if format.hasPrefix("AVIF") {
        assembly.items = [try CodedPicture(drawing, quality: 98).item(1, turns)]
      } else {
        // The coded picture is a tile that is larger than the grid.
        assembly.brand = "heic"
        let grid = [0, 0, 0, 0] + Box.number(width, 2) + Box.number(height, 2)
        assembly.items = [
          .init(id: 1, type: "grid", data: grid, properties: [Box.size(width, height)] + turns),
          CodedPicture.hevc.item(2, isHidden: true),
        ]
        assembly.references = [("dimg", 1, [2])]
      }
      // The same in both places counts once; where the container is silent EXIF speaks.
      if orientation > 1 {
        assembly.items.append(.init(id: 9, type: "Exif", data: exif(orientation)))
        assembly.references.append(("cdsc", 9, [1]))
      }
      return try TemporaryFile(assembly.bytes)
    }

    /// The colour of a point of the displayed picture.
    static func colour(_ orientation: Int, _ u: Double, _ v: Double) -> [Double] {
      let (right, bottom) = (Double(width - 1), Double(height - 1))
      let (x, y) =
        switch orientation {
        case 2: (right - u, v)
        case 3: (right - u, bottom - v)
        case 4: (u, bottom - v)
        case 5: (v, u)
        case 6: (v, bottom - u)
        case 7: (right - v, bottom - u)
        case 8: (right - v, u)
        default: (u, v)
        }
      return [60 + 2 * x, 60 + 3 * y, 128]
    }

    static func expectNear(
      _ picture: PixelBuffer, _ x: Int, _ y: Int, _ wanted: [Double], _ bound: Double,
      _ comment: String
    ) {
      guard x < picture.size.width, y < picture.size.height else {
        Issue.record("\(comment): \(picture.size) is too small")
        return
      }
      for band in 0..<3 {
        #expect(
          abs(Double(picture[x, y, band]) - wanted[band]) <= bound,
          "\(comment): (\(x), \(y)) is \(picture.pixel(x, y)) and not \(wanted)")
      }
    }

    @Test("upright once, the right region, and tags that agree", arguments: cases)
    func matrix(format: String, orientation: Int) throws {
      let file = try Self.file(format, orientation)
      let comment = "\(format) \(orientation)"
      let shown = orientation >= 5 ? (Self.height, Self.width) : (Self.width, Self.height)
      let header = try file.opened().get().header
      #expect(header.displayedSize == shown, "\(comment)")

      let whole = try Render(file, [Rendition(name: "r", type: .png)]).decoded()
      #expect((whole.size.width, whole.size.height) == shown, "\(comment)")
      #expect(whole.orientation == 1, "\(comment)")
      for (x, y) in [(3, 4), (shown.0 - 5, 3), (4, shown.1 - 6), (shown.0 - 3, shown.1 - 4)] {
        Self.expectNear(
          whole, x, y, Self.colour(orientation, Double(x), Double(y)), 9, comment)
      }

      let crop = try Render(
        file, [Rendition(name: "r", type: .png)], filters: [.crop(0.25, 0.125, 0.5, 0.25)]
      ).decoded()
      #expect((crop.size.width, crop.size.height) == (shown.0 / 2, shown.1 / 4), "\(comment)")
      for (x, y) in [(2, 2), (crop.size.width - 3, crop.size.height - 3)] {
        let wanted = Self.colour(orientation, Double(shown.0 / 4 + x), Double(shown.1 / 8 + y))
        Self.expectNear(crop, x, y, wanted, 9, comment + " cropped")
      }
    }

    @Test("straightened and filled the right way round", arguments: cases)
    func moved(format: String, orientation: Int) throws {
      let file = try Self.file(format, orientation)
      let comment = "\(format) \(orientation)"
      let shown = orientation >= 5 ? (Self.height, Self.width) : (Self.width, Self.height)
      let middle = (Double(shown.0 - 1) / 2, Double(shown.1 - 1) / 2)

      let degrees = 10.0
      let turned = try Render(
        file, [Rendition(name: "r", type: .png)], filters: [.straighten(degrees)]
      ).decoded()
      let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      let centre = (Double(turned.size.width - 1) / 2, Double(turned.size.height - 1) / 2)
      for (x, y) in [
        (4, 4), (turned.size.width - 5, 5), (turned.size.width / 2, turned.size.height - 5),
      ] {
        let (du, dv) = (Double(x) - centre.0, Double(y) - centre.1)
        // What is turned clockwise came from where a turn back leads.
        let wanted = Self.colour(
          orientation, middle.0 + cosine * du + sine * dv, middle.1 - sine * du + cosine * dv)
        Self.expectNear(turned, x, y, wanted, 10, comment + " straightened")
      }

      let square = Rendition(
        name: "r", type: .png, targetSize: .init(width: 24, height: 24), contentMode: .aspectFill)
      let filled = try Render(file, [square]).decoded()
      #expect(filled.size == PixelSize(width: 24, height: 24), "\(comment)")
      for (x, y) in [(3, 3), (20, 4), (4, 20)] {
        let (du, dv) = (Double(x) - 11.5, Double(y) - 11.5)
        let wanted = Self.colour(orientation, middle.0 + 2 * du, middle.1 + 2 * dv)
        Self.expectNear(filled, x, y, wanted, 10, comment + " filled")
      }
    }
  }
}
