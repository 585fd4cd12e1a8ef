/// The version of both programs, the same as the newest heading of CHANGELOG.md.
package enum ProgramVersion {
  package static let current = "0.1.0"
}
