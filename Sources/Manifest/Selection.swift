import RenderModel

/// Which files of a folder become jobs.
struct Selection: Hashable, Sendable {
  /// Always ascending, ties by name; the photo that is first in the order is the first job.
  enum Order: String, Hashable, Sendable, CaseIterable {
    case name, modificationDate, captureDate
  }

  /// Beneath the library; nil is the library itself.
  var folder: RelativePath?
  var matching: [UniformType] = [UniformType(rawValue: "public.image")]
  var limit: Int?
  var order: Order = .name

  func accepts(_ type: UniformType) -> Bool {
    matching.contains { type.conforms(to: $0) }
  }
}
