import RenderModel

/// The header and tag table of an ICC profile, every read bounds-checked.
struct ICCTags {
  /// More than any real RGB or grey profile has; larger ones are not looked at.
  static let maximumBytes = 32 << 20
  static let maximumTags = 256
  static let maximumCurveSamples = 65_536

  private struct Entry {
    var signature: UInt32
    var offset: Int
    var size: Int
  }

  private let bytes: [UInt8]
  private let entries: [Entry]
  let model: ICCProfile.ColorModel
  /// Whether a tag lies beyond the end, as that of the header does.
  let isCutOff: Bool
  /// `XYZ ` or `Lab `, else the profile is a device link or worse.
  let connectsThroughXYZ: Bool

  /// nil when the bytes do not begin with the header of a profile.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 132, bytes.count <= Self.maximumBytes else { return nil }
    self.bytes = bytes
    guard Self.word(bytes, 36) == Self.code("acsp") else { return nil }
    let classCode = Self.word(bytes, 12)
    let isDevice = ["scnr", "mntr", "prtr", "spac"].contains { Self.code($0) == classCode }
    connectsThroughXYZ = isDevice && Self.word(bytes, 20) == Self.code("XYZ ")
    model =
      switch Self.word(bytes, 16) {
      case Self.code("RGB "): .rgb
      case Self.code("GRAY"): .grey
      case Self.code("CMYK"): .cmyk
      case Self.code("Lab "): .lab
      case Self.code("XYZ "): .xyz
      default: .other
      }
    let count = Int(Self.word(bytes, 128) ?? 0)
    guard count <= Self.maximumTags else { return nil }
    var entries: [Entry] = []
    for index in 0..<count {
      let at = 132 + 12 * index
      guard let signature = Self.word(bytes, at), let offset = Self.word(bytes, at + 4),
        let size = Self.word(bytes, at + 8)
      else { return nil }
      guard Int(offset) + Int(size) <= bytes.count else { continue }
      entries.append(Entry(signature: signature, offset: Int(offset), size: Int(size)))
    }
    self.entries = entries
    isCutOff = entries.count < count && Int(Self.word(bytes, 0) ?? 0) > bytes.count
  }

  func has(_ name: StaticString) -> Bool { entry(name) != nil }

  /// The first triple of an XYZ tag.
  func xyz(_ name: StaticString) -> SIMD3<Double>? {
    guard let entry = entry(name), entry.size >= 20, type(of: entry) == Self.code("XYZ "),
      let x = fixed(entry, 8), let y = fixed(entry, 12), let z = fixed(entry, 16)
    else { return nil }
    return [x, y, z]
  }

  func curve(_ name: StaticString) -> TransferCurve? {
    guard let entry = entry(name) else { return nil }
    switch type(of: entry) {
    case Self.code("curv"): return sampledCurve(entry)
    case Self.code("para"): return parametricCurve(entry)
    default: return nil
    }
  }

  private func sampledCurve(_ entry: Entry) -> TransferCurve? {
    guard let word = word(entry, 8) else { return nil }
    let count = Int(word)
    guard count <= Self.maximumCurveSamples, 12 + 2 * count <= entry.size else { return nil }
    if count == 0 { return .linear }
    let samples = (0..<count).map { half(entry, 12 + 2 * $0) }
    if count == 1 {
      let exponent = Double(samples[0]) / 256
      guard exponent >= 0.1, exponent <= 10 else { return nil }
      return exponent == 1 ? .linear : .gamma(exponent)
    }
    // A curve that falls has no inverse; nothing that a display or camera writes does.
    guard zip(samples, samples.dropFirst()).allSatisfy({ $0 <= $1 }),
      samples[count - 1] > samples[0]
    else { return nil }
    return .table(samples.map { Float($0) / 65_535 })
  }

  private func parametricCurve(_ entry: Entry) -> TransferCurve? {
    let type = Int(half(entry, 8))
    let counts = [1, 3, 4, 5, 7]
    guard type < counts.count else { return nil }
    var parameters: [Double] = []
    for index in 0..<counts[type] {
      guard let value = fixed(entry, 12 + 4 * index) else { return nil }
      parameters.append(value)
    }
    guard parameters[0] >= 0.1, parameters[0] <= 10 else { return nil }
    if type == 0 { return parameters[0] == 1 ? .linear : .gamma(parameters[0]) }
    guard parameters[1] > 0 else { return nil }
    let curve = TransferCurve.parametric(type: type, parameters)
    return Self.rises(curve) ? curve : nil
  }

  private static func rises(_ curve: TransferCurve) -> Bool {
    var last = curve.decode(0)
    guard last.isFinite, curve.decode(1) > last, curve.decode(1) < 16 else { return false }
    for step in 1...256 {
      let value = curve.decode(Double(step) / 256)
      guard value >= last - 1e-4 else { return false }
      last = value
    }
    return true
  }

  // MARK: - Text

  /// A description in the form of version 2 or 4, at most 256 characters.
  func text(_ name: StaticString) -> String? {
    guard let entry = entry(name) else { return nil }
    let characters: String?
    switch type(of: entry) {
    case Self.code("desc"): characters = asciiText(entry)
    case Self.code("mluc"): characters = localisedText(entry)
    default: characters = nil
    }
    guard let characters else { return nil }
    var cut = characters.prefix { $0 != "\0" }.prefix(256)
    while cut.last == " " { cut.removeLast() }
    return cut.isEmpty ? nil : DisplayText.escaped(String(cut))
  }

  private func asciiText(_ entry: Entry) -> String? {
    guard let count = word(entry, 8), 12 + Int(count) <= entry.size else { return nil }
    let start = entry.offset + 12
    return String(decoding: bytes[start..<(start + min(Int(count), 4096))], as: UTF8.self)
  }

  /// The English text when there is one, else the first.
  private func localisedText(_ entry: Entry) -> String? {
    guard let count = word(entry, 8), word(entry, 12) == 12 else { return nil }
    var chosen: (length: Int, offset: Int)?
    for index in 0..<min(Int(count), 64) {
      let at = 16 + 12 * index
      guard let length = word(entry, at + 4), let offset = word(entry, at + 8) else { break }
      guard Int(offset) + Int(length) <= entry.size else { continue }
      let isEnglish = half(entry, at) == 0x656E
      if chosen == nil || isEnglish { chosen = (Int(length), Int(offset)) }
      if isEnglish { break }
    }
    guard let chosen else { return nil }
    let units = stride(from: 0, to: min(chosen.length, 8192) - 1, by: 2).map {
      half(entry, chosen.offset + $0)
    }
    return String(decoding: units, as: UTF16.self)
  }

  // MARK: - Reading

  private func entry(_ name: StaticString) -> Entry? {
    let wanted = Self.code(name)
    return entries.first { $0.signature == wanted }
  }

  private func type(of entry: Entry) -> UInt32? { word(entry, 0) }

  private func word(_ entry: Entry, _ offset: Int) -> UInt32? {
    offset + 4 <= entry.size ? Self.word(bytes, entry.offset + offset) : nil
  }

  /// 0 beyond the entry.
  private func half(_ entry: Entry, _ offset: Int) -> UInt16 {
    guard offset + 2 <= entry.size else { return 0 }
    let at = entry.offset + offset
    return UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
  }

  /// An s15Fixed16Number.
  private func fixed(_ entry: Entry, _ offset: Int) -> Double? {
    word(entry, offset).map { Double(Int32(bitPattern: $0)) / 65_536 }
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32? {
    guard at >= 0, at + 4 <= bytes.count else { return nil }
    return bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func code(_ name: StaticString) -> UInt32 {
    name.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
