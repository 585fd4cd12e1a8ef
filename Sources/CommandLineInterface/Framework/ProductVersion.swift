/// The version of Minilab, the same as the newest heading of CHANGELOG.md.
package enum ProductVersion {
  package static let number = "0.1.0"
  package static var line: String { "minilab \(number)" }
}
