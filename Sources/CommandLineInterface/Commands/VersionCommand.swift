import RenderModel

/// `minilab version`: the version of this program.
package enum VersionCommand {
  package static let command = Command(
    CommandDescription(
      name: "version",
      summary: "Show the version",
      examples: [.init("minilab version", "The same as minilab --version.")],
      exitStatuses: [.success, .usage])
  ) { _, context throws(UsageProblem) in
    context.output.writeLine(ProductVersion.line)
    return .success
  }
}
