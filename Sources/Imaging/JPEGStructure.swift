import Glibc

/// The markers of a JPEG, walked without decoding: what the decoder would stumble over, and whether
/// all that was announced is there.
package struct JPEGStructure: Hashable, Sendable {
  /// The marker of the frame header, 0xC0…0xCF; nil when none was found.
  private(set) var frame: UInt8?
  private(set) var precision = 8
  package private(set) var isMultiScan = false
  /// Whether an end marker closes the picture.
  package private(set) var hasEnd = false
  /// Whether every component has all its coefficients to the last bit, as far as scan headers tell.
  package private(set) var scansAreComplete = false
  /// Where scan headers of a sequential picture hold numbers that have no meaning there.
  package private(set) var invalidScanParameters: [Int] = []
  /// Runs of stray bytes between the header's segments.
  package private(set) var strayRuns = 0
  private var hasMultiPicture = false
  /// What the pictures after the first are, where an index of them tells.
  private(set) var index: MultiPictureIndex?
  var lacksPictures = false
  private(set) var density: PictureDensity?
  private(set) var pixelsAreSquare = true
  /// Whether a video follows the picture.
  private(set) var hasVideo = false
  package private(set) var hasGainMap = false
  private(set) var hasDepth = false
  /// The numbers of the pieces of a profile.
  private var profileParts: Set<UInt8> = []
  /// Why the decoder gives no profile although there is one; nil otherwise.
  var profileFault: String? {
    profileParts.isEmpty || profileParts.contains(1) ? nil : "its beginning is missing"
  }

  private var components: [UInt8] = []
  /// The lowest bit position that each coefficient of a component was sent to; 14 when never.
  private var lowestBits: [UInt8: [Int]] = [:]
  private var scans = 0

  var isProgressive: Bool { [0xC2, 0xC6, 0xCA, 0xCE].contains(frame) }
  var isArithmetic: Bool { [0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF].contains(frame) }
  var isLossless: Bool { [0xC3, 0xC7, 0xCB, 0xCF].contains(frame) }
  var isHierarchical: Bool { [0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF].contains(frame) }

  package init(_ bytes: borrowing FileBytes) {
    var position = 2
    while let marker = nextMarker(bytes, &position) {
      if marker == 0xD9 {
        hasEnd = true
        break
      }
      if marker == 0xD8 || marker == 0x01 || (0xD0...0xD7).contains(marker) { continue }
      guard position + 2 <= bytes.count else { break }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2, position + length <= bytes.count else { break }
      readSegment(marker, bytes, position + 2, position + length)
      position += length
      if marker == 0xDA { position = Self.endOfScan(bytes, from: position) }
    }
    if hasEnd {
      readTrailer(bytes, position, bytes.count)
      lookForPictures(bytes, firstEnd: position)
    }
    isMultiScan = isProgressive || scans > 1 || scannedAtOnce < components.count
    scansAreComplete =
      !components.isEmpty
      && components.allSatisfy { component in
        guard let bits = lowestBits[component] else { return false }
        return !isProgressive || bits.allSatisfy { $0 == 0 }
      }
  }

  private var scannedAtOnce = 0
  /// In front of the metadata of ISO 21496-1.
  private static let gainMapSign = "urn:iso:std:iso:ts:21496:-1\0"

  /// What comes after the picture: others of its kind, or a video.
  private mutating func readTrailer(_ bytes: borrowing FileBytes, _ start: Int, _ end: Int) {
    let maps = ["HDRGainMap", "hdrgm:", Self.gainMapSign]
    if hasMultiPicture, maps.contains(where: { bytes.hasText($0, start, end) }) {
      hasGainMap = true
    }
    let signs = ["MotionPhoto_Data", "ftypmp4", "ftypisom", "ftypqt  ", "ftypavc1", "ftypmp42"]
    hasVideo = signs.contains { bytes.hasText($0, start, end) }
  }

  private mutating func nextMarker(_ bytes: borrowing FileBytes, _ position: inout Int) -> UInt8? {
    var strayed = false
    while position < bytes.count {
      if bytes[position] != 0xFF {
        strayed = true
        position += 1
        continue
      }
      while position < bytes.count, bytes[position] == 0xFF { position += 1 }
      guard position < bytes.count else { return nil }
      let marker = bytes[position]
      position += 1
      if marker == 0 {
        strayed = true
        continue
      }
      if strayed && scans == 0 { strayRuns += 1 }
      return marker
    }
    return nil
  }

  private mutating func readSegment(
    _ marker: UInt8, _ bytes: borrowing FileBytes, _ start: Int, _ end: Int
  ) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
      guard frame == nil, end - start >= 6 else { return }
      frame = marker
      precision = Int(bytes[start])
      let count = Int(bytes[start + 5])
      guard end - start >= 6 + 3 * count else { return }
      components = (0..<count).map { bytes[start + 6 + 3 * $0] }
    // JPEG-LS, a format of its own.
    case 0xF7: frame = frame ?? marker
    case 0xDA: readScan(bytes, start, end)
    case 0xE0:
      guard bytes.hasText("JFIF\0", start, min(end, start + 5)), end - start >= 12 else { return }
      let payload = bytes.copy(start..<(start + 12))
      density = PictureDensity(jfif: payload)
      pixelsAreSquare = PictureDensity.areEqual(
        Int(payload[8]) << 8 | Int(payload[9]), Int(payload[10]) << 8 | Int(payload[11]))
    case 0xE1:
      if bytes.announcesGainMap(start, end) { hasGainMap = true }
      if bytes.announcesDepth(start, end) { hasDepth = true }
    case 0xE2:
      if bytes.hasText(Self.gainMapSign, start, min(end, start + 28)) { hasGainMap = true }
      if bytes.hasText("ICC_PROFILE\0", start, min(end, start + 12)), end - start >= 14 {
        profileParts.insert(bytes[start + 12])
      }
      if bytes.hasText("MPF\0", start, min(end, start + 4)) {
        hasMultiPicture = true
        index = MultiPictureIndex(bytes.copy((start + 4)..<end), at: start + 4)
      }
    default: break
    }
  }

  private mutating func readScan(_ bytes: borrowing FileBytes, _ start: Int, _ end: Int) {
    guard end > start else { return }
    let count = Int(bytes[start])
    let parameters = start + 1 + 2 * count
    guard parameters + 3 <= end else { return }
    if scans == 0 { scannedAtOnce = count }
    scans += 1
    var first = Int(bytes[parameters])
    var last = Int(bytes[parameters + 1])
    var low = Int(bytes[parameters + 2] & 0x0F)
    if !isProgressive {
      if first != 0 || last != 63 || bytes[parameters + 2] != 0 {
        invalidScanParameters.append(parameters)
      }
      (first, last, low) = (0, 63, 0)
    }
    guard first <= last, last <= 63 else { return }
    for index in 0..<count {
      let component = bytes[start + 1 + 2 * index]
      for coefficient in first...last {
        lowestBits[component, default: [Int](repeating: 14, count: 64)][coefficient] = low
      }
    }
  }

  /// The offset of the first marker after entropy-coded data, restarts apart.
  private static func endOfScan(_ bytes: borrowing FileBytes, from start: Int) -> Int {
    unsafe bytes.withBytes { buffer in
      var position = start
      while position < buffer.count, let base = buffer.baseAddress {
        guard let found = unsafe memchr(base + position, 0xFF, buffer.count - position) else {
          return buffer.count
        }
        let offset = unsafe UnsafeRawPointer(found) - base
        guard offset + 1 < buffer.count else { return buffer.count }
        let next = unsafe buffer[offset + 1]
        if next != 0 && next != 0xFF && !(0xD0...0xD7).contains(next) { return offset }
        position = next == 0xFF ? offset + 1 : offset + 2
      }
      return buffer.count
    }
  }
}

extension FileBytes {
  /// Whether a part of the file contains a text.
  func hasText(_ text: String, _ start: Int, _ end: Int) -> Bool {
    guard start >= 0, start < end, end <= count else { return false }
    return unsafe withBytes { bytes in
      unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end]).offset(of: Array(text.utf8))
        != nil
    }
  }

  /// Makes a JPEG say what it means: scan parameters that decoders ignore are put right, and a missing
  /// end marker is added when all scans are there. What is missing inside a scan stays missing, which
  /// an arithmetic decoder would not notice: its data may end in zeros that are left out (T.81, D.1.8).
  mutating func normalize(_ structure: JPEGStructure) {
    for offset in structure.invalidScanParameters {
      self[offset] = 0
      self[offset + 1] = 63
      self[offset + 2] = 0
    }
    if !structure.hasEnd && structure.scansAreComplete && !structure.isArithmetic {
      append([0xFF, 0xD9])
    }
  }
}
