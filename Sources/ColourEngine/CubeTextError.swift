/// What is wrong with the text of a `.cube` file, and where.
package struct CubeTextError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The file has the mark of UTF-16.
    case utf16
    /// The file has bytes that no text has.
    case binary
    /// Rows begin, or the file ends, before a size; the first word that is no keyword, if any.
    case noSize(unknown: String?)
    case size(String, shown: String, ClosedRange<Int>)
    case repeated(String, firstLine: Int)
    /// A keyword that wants so many numbers.
    case numbers(String, Int)
    /// The keyword whose upper end does not lie above the lower one.
    case emptyDomain(String)
    /// Two keywords that both state the domain.
    case twoDomains(String, String)
    /// A domain that may be meant for the curves or for the cube.
    case domainOfTwo(String)
    case rangeWithoutSize(String, size: String)
    case videoRange(String)
    case wordAmongRows(String)
    case columns(Int)
    case noNumber(String)
    case tooLarge(String)
    case missingRows(Int, of: Int)
    case tooManyRows(Int)
  }

  /// From 1.
  package var line: Int
  package var reason: Reason

  package init(line: Int, _ reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// What is wrong and what would be right, to follow `line N: `.
  package var text: String {
    switch reason {
    case .utf16: "the text is in UTF-16; save it as UTF-8 or plain ASCII"
    case .binary: "this is no text; a .cube file holds keywords and rows of numbers"
    case .noSize(let unknown):
      "LUT_1D_SIZE or LUT_3D_SIZE must come before the first row"
        + (unknown.map { "; \($0) is no keyword of a .cube file" } ?? "")
    case .size(let keyword, let shown, let range):
      "\(keyword) must be one whole number from \(range.lowerBound) to \(range.upperBound), "
        + "not \(shown)"
    case .repeated(let keyword, let first):
      "\(keyword) was given on line \(first) already; only one may be"
    case .numbers(let keyword, let count):
      "\(keyword) must be followed by \(count) numbers"
    case .emptyDomain(let keyword):
      "\(keyword) leaves no room: the upper end must lie above the lower one in every channel"
    case .twoDomains(let one, let other):
      "\(one) and \(other) both say which values the table is for; only one of them may be"
    case .domainOfTwo(let keyword):
      "\(keyword) does not say which of the two tables it is for; "
        + "give LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE"
    case .rangeWithoutSize(let keyword, let size): "\(keyword) is of no use without \(size)"
    case .videoRange(let keyword):
      "\(keyword) tables are not read; export the table for full (data) range"
    case .wordAmongRows(let word):
      "a row of 3 numbers is wanted, not \(word); keywords come before the first row"
    case .columns(let count): "a row must have 3 numbers, not \(count)"
    case .noNumber(let word):
      "\(word) is not a number; numbers are written as 0.25 or 2.5e-1, blanks between them"
    case .tooLarge(let word):
      "\(word) is too large; values must lie between -65536 and 65536"
    case .missingRows(let count, let wanted):
      "the file ends after \(count) of \(wanted) rows"
    case .tooManyRows(let wanted):
      "the size asks for \(wanted) rows, and here is one more"
    }
  }
}
