import CImagingShim
import RenderModel

/// What a JPEG 2000 says of its picture before any pixel is decoded.
struct JPEG2000Header: Hashable, Sendable {
  enum Colours: Hashable, Sendable {
    case grey, rgb, cmyk
    /// Luma and colour differences, at every pixel or at fewer.
    case ycc

    var count: Int {
      switch self {
      case .grey: 1
      case .rgb, .ycc: 3
      case .cmyk: 4
      }
    }
  }

  var size: PixelSize
  var colours: Colours
  /// Those that are used: the colours in their order, then the opacity.
  var channels: [JPEG2000Boxes.Channel]
  var isPremultiplied = false
  var bits: Int
  var losses: [String] = []
  var notes: [String] = []

  var bands: Int { channels.count }
  var hasAlpha: Bool { channels.count > colours.count }
  var format: minilab_format { bits > 8 ? MINILAB_FORMAT_UINT16 : MINILAB_FORMAT_UINT8 }
  var model: minilab_model {
    switch colours {
    case .grey: MINILAB_MODEL_GREY
    case .rgb, .ycc: MINILAB_MODEL_RGB
    case .cmyk: MINILAB_MODEL_CMYK
    }
  }

  /// By the numbers of the enumeration.
  private enum Space {
    static let ycc601 = 3
    static let cmyk = 12
    static let lab = 14
    static let sRGB = 16
    static let grey = 17
    static let sYCC = 18
    static let extendedYCC = 24
    static let yccKinds: Set = [ycc601, sYCC, extendedYCC]
  }

  init(_ boxes: JPEG2000Boxes, _ file: borrowing JPEG2000File) throws(LibraryError) {
    let components = file.components
    var all = boxes.mapping
    if boxes.palette == nil || all.isEmpty {
      all = components.indices.map { JPEG2000Boxes.Channel(component: $0) }
    }
    guard
      all.allSatisfy({ channel in
        channel.component < components.count
          && channel.column.map { $0 < boxes.palette?.columns.count ?? 0 } ?? true
      })
    else { throw LibraryError(text: "its palette does not fit its components") }
    if boxes.colourSpace == Space.lab {
      throw LibraryError(text: "its colours are Lab, which is not supported in a JPEG 2000")
    }
    colours = Self.colours(boxes, all, components)
    guard all.count >= colours.count else {
      throw LibraryError(text: "its pixels have too few components")
    }
    channels = (1...colours.count).map { number in
      let found = boxes.definitions.first {
        $0.kind == JPEG2000Boxes.Definition.colour && $0.association == number
          && $0.channel < all.count
      }
      return all[found?.channel ?? number - 1]
    }
    if let opacity = Self.opacity(boxes, all.count, colours) {
      channels.append(all[opacity.channel])
      isPremultiplied = opacity.kind == JPEG2000Boxes.Definition.premultipliedOpacity
    }
    if all.count > channels.count { losses.append("extraChannels") }
    if boxes.codestreams > 1 { losses.append("pages") }
    bits =
      channels.map { channel in
        channel.column.flatMap { boxes.palette?.bits[$0] } ?? components[channel.component].bits
      }.max() ?? 8
    let used = channels.map { components[$0.component] }
    guard used.allSatisfy({ (1...31).contains($0.bits) }) else {
      throw LibraryError(text: "components of \(bits) bits are not supported")
    }
    size = file.grid.size(used)
    guard size.width > 0, size.height > 0 else {
      throw LibraryError(text: "its picture has no size")
    }
    if let space = boxes.colourSpace,
      ![Space.cmyk, Space.sRGB, Space.grey].contains(space), !Space.yccKinds.contains(space)
    {
      notes.append("colours of a kind that is not known (\(space)), taken as sRGB")
    }
  }

  private static func colours(
    _ boxes: JPEG2000Boxes, _ all: [JPEG2000Boxes.Channel],
    _ components: [JPEG2000File.Component]
  ) -> Colours {
    if let space = boxes.colourSpace {
      if space == Space.cmyk { return .cmyk }
      if space == Space.grey { return .grey }
      if Space.yccKinds.contains(space) { return .ycc }
    }
    let said = boxes.profile.map { Array($0.dropFirst(16).prefix(4)) }
    if said == Array("CMYK".utf8) { return .cmyk }
    if all.count < 3 || said == Array("GRAY".utf8) { return .grey }
    // Colours at fewer points than the first cannot be red, green and blue.
    let steps = all.prefix(3).map { components[$0.component].step }
    return steps[1] != steps[0] && steps[1] == steps[2] ? .ycc : .rgb
  }

  private static func opacity(
    _ boxes: JPEG2000Boxes, _ count: Int, _ colours: Colours
  ) -> JPEG2000Boxes.Definition? {
    typealias Definition = JPEG2000Boxes.Definition
    if boxes.definitions.isEmpty {
      // A channel more than the colours is opacity to all readers, though nothing says so.
      guard colours != .cmyk, count == colours.count + 1 else { return nil }
      return Definition(channel: colours.count, kind: Definition.opacity, association: 0)
    }
    return boxes.definitions.first {
      [Definition.opacity, Definition.premultipliedOpacity].contains($0.kind)
        && $0.association == 0 && $0.channel < count
    }
  }
}

/// An open JPEG 2000 of bytes in memory.
@safe
struct JPEG2000File: ~Copyable {
  struct Component: Hashable, Sendable {
    /// Points of the reference grid from one sample to the next.
    var step: PixelSize
    var size: PixelSize
    var bits: Int
    var isSigned: Bool
  }

  /// The picture's place on the reference grid.
  struct Grid: Hashable, Sendable {
    var left, top, right, bottom: Int

    /// As many pixels as the finest of some components has samples.
    func size(_ components: [Component]) -> PixelSize {
      let step = Self.finest(components)
      return PixelSize(
        width: Self.up(right, step.width) - Self.up(left, step.width),
        height: Self.up(bottom, step.height) - Self.up(top, step.height))
    }

    static func finest(_ components: [Component]) -> PixelSize {
      PixelSize(
        width: max(1, components.map(\.step.width).min() ?? 1),
        height: max(1, components.map(\.step.height).min() ?? 1))
    }

    static func up(_ value: Int, _ step: Int) -> Int { (value + step - 1) / max(1, step) }
  }

  let grid: Grid
  let components: [Component]
  private let handle: OpaquePointer

  /// The bytes must outlive this.
  init(_ file: borrowing FileBytes, isStrict: Bool) throws(LibraryError) {
    let result = unsafe file.withBytes { bytes -> Result<OpaquePointer, LibraryError> in
      unsafe Result { () throws(LibraryError) in
        try unsafe LibraryError.object {
          unsafe minilab_jpeg2000_open(bytes.baseAddress, bytes.count, isStrict ? 1 : 0, $0)
        }
      }
    }
    let handle = try unsafe result.get()
    let found = unsafe minilab_jpeg2000_read(handle)
    grid = Grid(
      left: Int(found.left), top: Int(found.top), right: Int(found.right),
      bottom: Int(found.bottom))
    components = (0..<found.components).map { index in
      let part = unsafe minilab_jpeg2000_part(handle, index)
      return unsafe Component(
        step: PixelSize(width: Int(part.step_x), height: Int(part.step_y)),
        size: PixelSize(width: Int(part.width), height: Int(part.height)),
        bits: Int(part.bits), isSigned: part.is_signed != 0)
    }
    unsafe self.handle = handle
  }

  deinit { unsafe minilab_jpeg2000_release(handle) }

  func decode() throws(LibraryError) {
    try unsafe LibraryError.status { unsafe minilab_jpeg2000_decode(handle, $0) }
  }

  /// The samples of a decoded component's row, from 0 on; nil when they are not there.
  func read(component: Int, row: Int, into target: inout [Int32]) -> Bool {
    let part = unsafe minilab_jpeg2000_part(handle, Int32(component))
    let (width, height) = unsafe (Int(part.width), Int(part.height))
    guard let samples = unsafe part.samples, width > 0, row >= 0, row < height else {
      return false
    }
    let start = unsafe samples + row * width
    target = unsafe Array(UnsafeBufferPointer(start: start, count: width))
    return true
  }
}
