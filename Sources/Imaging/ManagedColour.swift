import CImagingShim
import ColourEngine
import RenderModel

/// Samples that Little CMS works out from an ICC profile, or for one.
struct ManagedColour: Hashable, Sendable {
  enum Model: Hashable, Sendable { case grey, rgb, cmyk, lab }

  var model: Model
  /// nil: Lab of the connection space.
  var profile: [UInt8]?
  var sample: PixelLayout.Sample
  var hasAlpha: Bool
  /// Whether a table of colours is made first, which goes to Lab in 16 bits: for large pictures of 8 bits.
  var isTabled = false

  var bands: Int { model.bands + (hasAlpha ? 1 : 0) }

  /// What lies on the working space's side: its floats, or Lab.
  var working: PixelLayout {
    PixelLayout(
      sample: isTabled ? .uint16 : .float32, bands: hasAlpha ? 4 : 3,
      alpha: hasAlpha ? .straight : .none, space: isTabled ? .lab : .working)
  }

  /// The same with a table where that is worth it: a pixel then takes 30 ns (CMYK 90) and not 250.
  func tabled(for size: PixelSize) -> ManagedColour {
    var result = self
    result.isTabled = sample == .uint8 && size.pixels >= 1 << 20
    return result
  }

  enum Direction { case toWorking, fromWorking }

  /// Why Little CMS cannot do it, in words that follow the profile's name and a colon; nil when it can.
  func fault(_ direction: Direction) -> String? {
    var record = minilab_error()
    let works = unsafe withConversion(direction, .plain) {
      unsafe minilab_conversion_works($0, &record)
    }
    return works != 0 ? nil : DisplayText.escaped(LibraryError.text(of: &record))
  }

  func withConversion<Result>(
    _ direction: Direction, _ intent: ColourIntent,
    _ body: (UnsafePointer<minilab_conversion>) -> Result
  ) -> Result {
    let pixels = minilab_pixels(
      colours: model.library, format: sample.library, alpha: hasAlpha ? 1 : 0)
    let other = minilab_pixels(
      colours: isTabled ? MINILAB_COLOURS_LAB : MINILAB_COLOURS_RGB,
      format: working.sample.library, alpha: hasAlpha ? 1 : 0)
    let bytes = profile ?? []
    return unsafe bytes.withUnsafeBytes { buffer in
      let own = unsafe minilab_profile(
        bytes: profile == nil ? nil : buffer.baseAddress, length: buffer.count)
      let none = unsafe minilab_profile(bytes: nil, length: 0)
      var conversion = unsafe minilab_conversion(
        from: direction == .toWorking ? own : none,
        input: direction == .toWorking ? pixels : other,
        to: direction == .toWorking ? none : own,
        output: direction == .toWorking ? other : pixels, intent: intent.intent.library,
        black_point: intent.compensatesBlackPoint ? 1 : 0)
      return unsafe body(&conversion)
    }
  }
}

/// How colours that one side has and the other has not are met.
struct ColourIntent: Hashable, Sendable {
  var intent: Rendition.RenderingIntent
  var compensatesBlackPoint: Bool

  static let plain = ColourIntent(intent: .relative, compensatesBlackPoint: false)

  init(intent: Rendition.RenderingIntent, compensatesBlackPoint: Bool) {
    self.intent = intent
    self.compensatesBlackPoint = compensatesBlackPoint
  }

  init(_ rendition: Rendition) {
    self.init(
      intent: rendition.renderingIntent,
      compensatesBlackPoint: rendition.blackPointCompensation)
  }
}

extension ManagedColour.Model {
  /// nil for profiles of other colour models.
  init?(_ model: ICCProfile.ColorModel?) {
    switch model {
    case .grey: self = .grey
    case .rgb: self = .rgb
    case .cmyk: self = .cmyk
    case .lab: self = .lab
    default: return nil
    }
  }

  var bands: Int {
    switch self {
    case .grey: 1
    case .rgb, .lab: 3
    case .cmyk: 4
    }
  }

  fileprivate var library: minilab_colours {
    switch self {
    case .grey: MINILAB_COLOURS_GREY
    case .rgb: MINILAB_COLOURS_RGB
    case .cmyk: MINILAB_COLOURS_CMYK
    case .lab: MINILAB_COLOURS_LAB
    }
  }
}

extension Rendition.RenderingIntent {
  fileprivate var library: minilab_intent {
    switch self {
    case .perceptual: MINILAB_INTENT_PERCEPTUAL
    case .relative: MINILAB_INTENT_RELATIVE
    case .saturation: MINILAB_INTENT_SATURATION
    case .absolute: MINILAB_INTENT_ABSOLUTE
    }
  }
}
