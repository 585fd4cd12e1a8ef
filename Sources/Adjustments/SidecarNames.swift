package import RenderModel

/// The file that may hold an asset's adjustments, by the naming rule of its format.
package struct Sidecar: Hashable, Sendable {
  package enum Format: String, Hashable, Sendable, CaseIterable {
    case native, apple, xmp, rawTherapee
  }

  package var path: RelativePath
  package var format: Format

  package init(path: RelativePath, format: Format) {
    self.path = path
    self.format = format
  }
}

package enum SidecarNames {
  /// What Linux file systems hold in a name.
  private static let longestName = 255

  /// Every place to look for an asset's record, in order: the first that exists is the record.
  ///
  /// Ours come first, then Apple's with the user's edits before the camera's (`IMG_O1234`), then
  /// XMP and RawTherapee.
  package static func candidates(for asset: RelativePath) -> [Sidecar] {
    let name = asset.lastComponent
    let stem = asset.stem
    guard !name.isEmpty else { return [] }
    var names: [([UInt8], Sidecar.Format)] = []
    func add(_ bases: [[UInt8]], _ endings: [String], _ format: Sidecar.Format) {
      for base in bases {
        for ending in endings { names.append((base + Array(ending.utf8), format)) }
      }
    }
    add([name, stem], [".minilab.json"], .native)
    add([stem] + cameraStems(of: stem), [".AAE", ".aae"], .apple)
    add([name, stem], [".xmp", ".XMP"], .xmp)
    add([name], [".pp3"], .rawTherapee)

    var seen: Set<[UInt8]> = [name]
    return names.compactMap { bytes, format in
      guard bytes.count <= longestName, seen.insert(bytes).inserted else { return nil }
      return Sidecar(path: asset.directory.appending(bytes), format: format)
    }
  }

  /// The stems of what the camera itself recorded: `IMG_O1234`, `IMG_1234O`, `IMG_1234_O`.
  private static func cameraStems(of stem: [UInt8]) -> [[UInt8]] {
    let letter = UInt8(ascii: "O")
    var stems: [[UInt8]] = []
    let digits = stem.reversed().prefix { (0x30...0x39).contains($0) }.count
    let prefix = stem.dropLast(digits)
    if digits > 0, prefix.last == UInt8(ascii: "_") {
      stems.append(prefix + [letter] + stem.suffix(digits))
    }
    return stems + [stem + [letter], stem + [UInt8(ascii: "_"), letter]]
  }
}
