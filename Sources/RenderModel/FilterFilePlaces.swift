/// Where a file that a record names is looked for.
package enum FilterFilePlaces {
  /// Beneath the library, the first that is there counts.
  ///
  /// `record`: the path of the file that the record is in; nil for a record in the manifest.
  package static func candidates(for name: [UInt8], beside record: RelativePath?)
    -> [RelativePath]
  {
    let plain = RelativePath(bytes: name)
    guard let folder = record?.directory, !folder.bytes.isEmpty else { return [plain] }
    return [folder.appending(name), plain]
  }

  /// The end of a sentence about a file that is at none of its places.
  package static func missing(_ candidates: [RelativePath]) -> String {
    let remedy = "; put it there, or correct its name"
    guard candidates.count > 1, let beside = candidates.first, let plain = candidates.last else {
      return "is not beneath the library\(remedy)"
    }
    return "is neither beside the record (\(beside.displayed)) nor beneath the library "
      + "(\(plain.displayed))\(remedy)"
  }
}
