package import SystemSupport

/// A journal or run folder that cannot be written or read; without it the run must not go on.
package struct JournalError: Error, Equatable, Sendable {
  package enum Code: String, Sendable, CaseIterable {
    /// A value has no JSON form; nothing was written.
    case notEncodable
    /// Nothing was added: the journal ends with its last whole line.
    case notWritten
    /// Lines may be lost or torn, and the journal takes no more.
    case broken
    case notReadable
    /// The run's folder could not be made, listed or cleaned.
    case folder
  }

  package var code: Code
  package var detail: String
  /// nil when no system call was to blame.
  package var cause: SystemError?

  package init(_ code: Code, _ detail: String = "", cause: SystemError? = nil) {
    self.code = code
    self.detail = detail
    self.cause = cause
  }

  package var isDiskFull: Bool { cause?.isDiskFull ?? false }

  /// Runs a step and gives what it throws this module's form.
  static func wrapping<Value: ~Copyable>(
    _ code: Code, _ detail: String = "", _ body: () throws(SystemError) -> Value
  ) throws(JournalError) -> Value {
    do {
      return try body()
    } catch {
      throw JournalError(code, detail, cause: error)
    }
  }
}

extension JournalError: CustomStringConvertible {
  package var description: String {
    let what =
      switch code {
      case .notEncodable: "a journal line has no JSON form"
      case .notWritten: "the journal could not be written"
      case .broken: "the journal is broken and takes no more lines"
      case .notReadable: "the journal cannot be read"
      case .folder: "the run's folder cannot be used"
      }
    return [what, detail, cause.map { "\($0)" } ?? ""].filter { !$0.isEmpty }
      .joined(separator: ": ")
  }
}
