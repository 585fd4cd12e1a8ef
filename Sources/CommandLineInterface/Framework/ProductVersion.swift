import RenderModel

/// The version of Minilab, the same as the newest heading of CHANGELOG.md.
package enum ProductVersion {
  package static let number = ProgramVersion.current
  package static var line: String { "minilab \(number)" }
}
