import CImagingShim

/// How a TIFF that the library's loader does not read is put together.
struct TIFFPlan: Hashable, Sendable {
  enum Colours: Hashable, Sendable {
    case grey(isInverted: Bool)
    case rgb, cmyk, palette
    /// L, and a and b as signed numbers or, `isOffset`, from an offset.
    case lab(isOffset: Bool)
    /// Whatever libtiff itself makes into eight bits of RGB.
    case converted
  }

  var colours: Colours
  var bands: Int
  var format: minilab_format
  var model: minilab_model
  var losses: [String] = []

  /// Samples of a pixel, from the first on, that the bands are made from.
  func usedSamples(of header: TIFFHeader) -> Int {
    min(header.samples, colours == .palette ? 1 + bands - 3 : bands)
  }

  private enum Photometric {
    static let minIsWhite = 0
    static let minIsBlack = 1
    static let rgb = 2
    static let palette = 3
    static let mask = 4
    static let separated = 5
    static let yCbCr = 6
    static let cieLab = 8
    static let iccLab = 9
    static let ituLab = 10
  }

  private static let jpeg = 7

  /// nil when the library's loader reads it.
  init?(_ header: TIFFHeader) throws(LibraryError) {
    guard let colours = Self.colours(header) else {
      throw LibraryError(text: "colours of kind \(header.photometric) are not supported")
    }
    if Self.isReadByLibrary(header, colours) { return nil }
    guard let kind = header.kind, (1...32).contains(header.bits) || header.bits == 64 else {
      throw LibraryError(text: "\(header.bits) bits a sample of this kind are not supported")
    }
    self.colours = colours
    if colours == .converted {
      bands = header.hasAlpha ? 4 : 3
      (format, model) = (MINILAB_FORMAT_UINT8, MINILAB_MODEL_RGB)
      return
    }
    if kind == .float && ![16, 24, 32, 64].contains(header.bits)
      || kind != .float && header.bits > 32
    {
      throw LibraryError(text: "\(header.bits) bits a sample of this kind are not supported")
    }
    let count = Self.count(colours)
    guard header.samples >= (colours == .palette ? 1 : count) else {
      throw LibraryError(text: "its pixels have too few samples")
    }
    let spare = header.samples - (colours == .palette ? 1 : count)
    let keepsAlpha = header.hasAlpha && spare > 0
    if spare > (keepsAlpha ? 1 : 0) { losses.append("extraChannels") }
    bands = count + (keepsAlpha ? 1 : 0)
    switch colours {
    case .grey: model = MINILAB_MODEL_GREY
    case .cmyk: model = MINILAB_MODEL_CMYK
    case .lab: model = MINILAB_MODEL_LAB
    default: model = MINILAB_MODEL_RGB
    }
    if case .lab = colours {
      guard kind != .float, header.bits >= 8 else {
        throw LibraryError(
          text: "Lab of \(header.bits) bits a sample of this kind is not supported")
      }
      format = MINILAB_FORMAT_FLOAT
    } else if kind == .float {
      guard colours != .palette, colours != .cmyk else {
        throw LibraryError(text: "floating point numbers of this kind are not supported")
      }
      format = MINILAB_FORMAT_FLOAT
      if count == 3 { model = MINILAB_MODEL_LINEAR_RGB }
    } else {
      let isDeep =
        colours == .palette
        ? header.colourMap.contains { $0.contains { $0 & 0xFF != $0 >> 8 } } : header.bits > 8
      format = isDeep ? MINILAB_FORMAT_UINT16 : MINILAB_FORMAT_UINT8
    }
    if colours == .palette {
      guard header.colourMap.count == 3 else {
        throw LibraryError(text: "its palette is missing")
      }
      guard kind != .signed else {
        throw LibraryError(text: "a palette with signed numbers is not supported")
      }
    }
  }

  private static func count(_ colours: Colours) -> Int {
    switch colours {
    case .grey: 1
    case .cmyk: 4
    default: 3
    }
  }

  private static func colours(_ header: TIFFHeader) -> Colours? {
    // 6 is the JPEG of TIFF 6.0 that was withdrawn; only libtiff's own conversion reads it.
    if header.compression == 6 { return .converted }
    switch header.photometric {
    case Photometric.minIsWhite: return .grey(isInverted: true)
    case Photometric.minIsBlack, Photometric.mask: return .grey(isInverted: false)
    case Photometric.rgb: return .rgb
    case Photometric.palette: return .palette
    case Photometric.separated: return header.samples >= 4 ? .cmyk : nil
    case Photometric.yCbCr: return .converted
    case Photometric.cieLab: return .lab(isOffset: false)
    case Photometric.iccLab, Photometric.ituLab: return .lab(isOffset: true)
    default: return nil
    }
  }

  /// What the library's loader was found to read as TIFF 6.0 has it.
  private static func isReadByLibrary(_ header: TIFFHeader, _ colours: Colours) -> Bool {
    if header.isTiled && header.isPlanar && header.samples > 1 { return false }
    // A first extra sample of no stated meaning is not opacity, and a palette has none.
    if header.extras > 0 && !(header.hasAlpha && header.extras == 1) { return false }
    if header.compression == jpeg && header.bits == 8 && colours == .converted
      && !header.isPlanar
    {
      return true
    }
    switch (colours, header.kind) {
    case (.grey, .unsigned): return [1, 2, 4, 8, 16].contains(header.bits) && header.samples <= 2
    case (.grey(false), .float): return header.bits == 32 && header.samples == 1
    case (.palette, .unsigned): return [1, 2, 4, 8].contains(header.bits) && header.samples == 1
    case (.rgb, .unsigned): return [8, 16].contains(header.bits) && header.samples <= 4
    // Of floating point with opacity the library divides by 255 what is in 0…1.
    case (.rgb, .float): return header.bits == 32 && header.samples == 3
    case (.cmyk, .unsigned): return [8, 16].contains(header.bits) && header.samples == 4
    default: return false
    }
  }
}
