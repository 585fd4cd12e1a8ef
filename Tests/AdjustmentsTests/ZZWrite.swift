import FoundationEssentials
import Testing

@testable import Adjustments

@Suite struct ZZWrite {
  @Test func write() throws {
    try Data(FilterReference.markdown.utf8).write(to: URL(filePath: "/tmp/rest3-filters.md"))
  }
}
