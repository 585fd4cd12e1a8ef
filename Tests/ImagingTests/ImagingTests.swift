import Imaging
import Testing

/// All suites that use the imaging libraries: their messages are the process's, so one at a time.
@Suite("Imaging", .serialized, .startedLibraries)
struct ImagingTests {}

/// The libraries are started, once, before the first test.
struct StartedLibraries: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    _ = try ImagingRuntime.start()
    try await function()
  }
}

extension Trait where Self == StartedLibraries {
  static var startedLibraries: Self { StartedLibraries() }
}
